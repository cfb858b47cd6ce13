"""Make manifests of any size. Knows a few shapes; the same number gives the same text."""

from __future__ import annotations

_DATABASE = """\
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: shared-{number}
provisioner: efs.csi.aws.com
parameters:
  provisioningMode: efs-ap
  fileSystemId: fs-0a1b2c3d4e5f67890
  directoryPerms: "700"
mountOptions:
  - soft
  - timeo=60
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: postgres-{number}
  namespace: bench
spec:
  serviceName: postgres-{number}
  replicas: 1
  selector:
    matchLabels: {{app: postgres-{number}}}
  template:
    metadata:
      labels: {{app: postgres-{number}}}
    spec:
      containers:
        - name: postgres
          image: postgres:16.4
          env:
            - name: PGDATA
              value: /var/lib/postgresql/data/pgdata
          ports:
            - containerPort: 5432
          livenessProbe:
            exec:
              command: [pg_isready, -U, postgres]
            timeoutSeconds: 1
          volumeMounts:
            - name: data
              mountPath: /var/lib/postgresql/data
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: shared-{number}
        resources:
          requests:
            storage: 20Gi
"""

_SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: web
  labels:
    app.kubernetes.io/name: web
spec:
  selector:
    app.kubernetes.io/name: web
  ports:
    - name: http
      port: 80
      targetPort: http
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app.kubernetes.io/name: web
  template:
    metadata:
      labels:
        app.kubernetes.io/name: web
    spec:
      containers:
        - name: web
          image: nginx:1.27
          ports:
            - name: http
              containerPort: 8080
          env:
"""


def database(number: int) -> str:
    """Return a StorageClass on EFS and the StatefulSet of a database that uses it: two documents with findings."""
    return _DATABASE.format(number=number)


def without_storage(lines: int = 100) -> str:
    """Return a Service and a Deployment of so many lines, give or take one, with no volume anywhere."""
    missing = (lines - _SERVICE.count("\n")) // 2
    entries = (f'            - name: SETTING_{number}\n              value: "{number}"\n' for number in range(missing))
    return _SERVICE + "".join(entries)


def file_of(characters: int, number: int, *, with_database: bool) -> str:
    """Return a file of so many characters, give or take 2 kB: workloads without storage, and a database if wanted."""
    documents = [database(number)] if with_database else []
    plain = without_storage()
    while sum(map(len, documents)) < characters:
        documents.append(plain.replace("web", f"web-{number}-{len(documents)}"))
    return "---\n".join(documents)
