# The repository to lint is mounted at /src:  docker run --rm -v "$PWD:/src:ro" efslint .
FROM python:3.13-slim AS build
WORKDIR /build
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY efslint efslint
COPY rules rules
COPY share share
RUN python -m venv /opt/efslint \
    && /opt/efslint/bin/pip install --no-cache-dir --disable-pip-version-check . \
    && /opt/efslint/bin/pip uninstall --yes --quiet pip

FROM python:3.13-slim
COPY --from=build /opt/efslint /opt/efslint
ENV PATH=/opt/efslint/bin:$PATH PYTHONDONTWRITEBYTECODE=1
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["efslint"]
CMD ["--help"]
