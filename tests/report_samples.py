"""Reports built by hand, from real sources and spans, that the tests of all formats share."""

from __future__ import annotations

from changing import replace

from efslint.kube.identity import ObjectRef
from efslint.report.model import Report, Skip, Suppressed
from efslint.rules.finding import Finding, Severity
from efslint.rules.rule import Case, Reference, Rule
from efslint.storage.fact import Confidence, Step
from efslint.text.source import Source, Span

DATABASE = Source(
    "apps/db.yaml",
    """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: ledger, namespace: prod}
spec:
  serviceName: ledger
  template:
    spec:
      containers:
        - name: postgres
          image: postgres:16.4
          env: [{name: PGDATA, value: /data/pg}, {name: POSTGRES_PASSWORD, value: "correct horse"}]
          volumeMounts:
            - {name: data, mountPath: /data}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: shared
        resources: {requests: {storage: 20Gi}}
""",
)
CLASS = Source(
    "storage/class.yaml",
    """\
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: shared
provisioner: efs.csi.aws.com
mountOptions:
  - timeo=60
""",
)
LEDGER = ObjectRef("apps/v1", "StatefulSet", "prod", "ledger")
SHARED = ObjectRef("storage.k8s.io/v1", "StorageClass", None, "shared")


def at(source: Source, text: str, nth: int = 1) -> Span:
    """Return where a text stands for the nth time."""
    start = -1
    for _ in range(nth):
        start = source.text.index(text, start + 1)
    return Span(source, start, start + len(text))


def finding(span: Span, *steps: Step, severity: Severity = Severity.WARNING, message: str = "it is so") -> Finding:
    """Return a finding with as little in it as there can be."""
    return Finding(
        rule="EFS102",
        name="timeo-below-recommended",
        severity=severity,
        confidence=Confidence.CERTAIN,
        message=message,
        help="",
        docs="",
        span=span,
        object=None,
        objects=(),
        container=None,
        evidence=steps or (Step(span, ""),),
        fingerprint="f0",
    )


def rule(id_: str, name: str, severity: str, summary: str, rationale: str, url: str = "") -> Rule:
    """Return a rule of which only the words matter."""
    return Rule(
        id=id_,
        name=name,
        severity=(Case(None, severity),),
        since="0.1",
        target="use",
        summary=summary,
        message=(Case(None, "it is so"),),
        help=(Case(None, "change it"),),
        rationale=rationale,
        remediation="Change it.",
        references=(Reference("A page", url),) if url else (),
    )


EFS_PERFORMANCE = "https://docs.aws.amazon.com/efs/latest/ug/performance.html"
RULES = (
    rule("EFS000", "syntax-error", "error", "a document is not YAML", "What cannot be read cannot be checked."),
    rule(
        "EFS101",
        "timeo-too-short",
        "warning",
        "the client gives up after a moment",
        "A pause of the file system looks like an outage.\n\nSecond paragraph.",
        "https://docs.aws.amazon.com/efs/latest/ug/mounting-fs-nfs-mount-settings.html",
    ),
    rule("EFS102", "timeo-below-recommended", "note", "less than AWS recommends", "60 seconds are recommended."),
    rule(
        "EFS201", "database-on-efs", "error", "a database keeps its data on EFS", "Latency and locks.", EFS_PERFORMANCE
    ),
)

ON_EFS = Finding(
    rule="EFS201",
    name="database-on-efs",
    severity=Severity.ERROR,
    confidence=Confidence.CERTAIN,
    message="StatefulSet/ledger keeps PostgreSQL's data directory /data/pg on EFS",
    help="give the claim a class of block storage, such as one of ebs.csi.aws.com",
    docs=EFS_PERFORMANCE,
    span=at(DATABASE, "shared"),
    object=LEDGER,
    objects=(LEDGER, SHARED),
    container="postgres",
    evidence=(
        Step(at(DATABASE, "postgres:16.4"), "container postgres runs PostgreSQL"),
        Step(at(DATABASE, "/data/pg"), "which keeps its data in /data/pg"),
        Step(at(DATABASE, "/data", 2), "where volume data is mounted"),
        Step(at(DATABASE, "shared"), "its claim asks for class shared"),
        Step(at(CLASS, "efs.csi.aws.com"), "whose provisioner is the EFS CSI driver"),
    ),
    fingerprint="3a7c",
)
TOO_SHORT = Finding(
    rule="EFS101",
    name="timeo-too-short",
    severity=Severity.WARNING,
    confidence=Confidence.ASSUMED,
    message="StorageClass/shared sets timeo=60, which is 6 seconds",
    help="timeo counts tenths of a second: write timeo=600",
    docs="https://docs.aws.amazon.com/efs/latest/ug/mounting-fs-nfs-mount-settings.html",
    span=at(CLASS, "timeo=60"),
    object=SHARED,
    objects=(SHARED,),
    container=None,
    evidence=(Step(at(CLASS, "timeo=60"), "60 tenths of a second"),),
    fingerprint="91bd",
)
FINDINGS = Report(
    version="0.1.0",
    findings=(ON_EFS, TOO_SHORT),
    rules=RULES,
    files=3,
    documents=4,
    objects=2,
    skipped=(Skip("chart/templates/pv.yaml", 1, "unrendered-template"),),
    unresolved=2,
    suppressed=(Suppressed(replace(TOO_SHORT, fingerprint="77aa"), "tested under load"),),
    baselined=1,
)
NONE = Report(version="0.1.0", findings=(), rules=RULES, files=1, documents=1, objects=1)
NOTHING_READ = Report(version="0.1.0", findings=(), rules=(), files=1)

PIPED = Source("<stdin>", CLASS.text)
STDIN = replace(NONE, findings=(replace(TOO_SHORT, span=at(PIPED, "timeo=60"), evidence=()),))

BROKEN_TEXT = Source("broken.yaml", "kind: Pod\n---\nkind: [Pod\r\nspec: {}\n")
_UNCLOSED = Span(BROKEN_TEXT, BROKEN_TEXT.text.index("[Pod"), len(BROKEN_TEXT.text))  # over two lines
BROKEN = replace(
    NONE,
    findings=(
        replace(
            finding(_UNCLOSED, Step(_UNCLOSED, "the sequence begins here"), severity=Severity.ERROR),
            rule="EFS000",
            name="syntax-error",
            message="the document is not YAML: expected ',' or ']'",
        ),
    ),
    documents=2,
)

# All that input can bring along to steer a reader: terminal sequences, line ends, markup of every format, text that
# runs backwards, a file name that is not UTF-8.
EVIL = (
    "\x1b[31m\x9b2J\r\n::error::x\u202e|`<b>&\"'[a](http://b.example)%0A,:]]>*_\ufffe\x00@team www.c.example ##[group]"
)
HOSTILE_TEXT = Source(
    "::error::a b,%\udce9\x1b[0m`|<i>.yaml", f"name: '{EVIL}'\n# \x1b]0;title\x07 ##[error]\nx: \x9by\n"
)
_NAME = at(HOSTILE_TEXT, "name")
_X = Span(HOSTILE_TEXT, HOSTILE_TEXT.text.rindex("\x9by"), len(HOSTILE_TEXT.text) - 1)
HOSTILE = replace(
    NONE,
    findings=(
        replace(
            finding(_NAME, Step(_NAME, f"step {EVIL}"), Step(_X, EVIL), message=f"message {EVIL}"),
            help=f"help {EVIL}",
            docs=f"https://a.example/)|{EVIL}",
            object=ObjectRef("v1", "Pod", EVIL, EVIL),
            container=EVIL,
        ),
    ),
    skipped=(Skip(HOSTILE_TEXT.path, 1, EVIL),),
)

REPORTS = {
    "findings": FINDINGS,
    "none": NONE,
    "nothing-read": NOTHING_READ,
    "stdin": STDIN,
    "broken": BROKEN,
    "hostile": HOSTILE,
}
