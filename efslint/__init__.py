"""A static, offline linter for EFS and NFS storage in Kubernetes manifests. Holds the version and nothing else."""

__version__ = "0.1.0"
