# The hub as an image: built from this checkout, run without privileges.
# Pinned by its digest where that is known: --build-arg PYTHON_IMAGE=python:3.11-slim@sha256:…
ARG PYTHON_IMAGE=python:3.11-slim
FROM ${PYTHON_IMAGE} AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE NOTICE constraints.txt ./
COPY bazi_core bazi_core
COPY bazi_hub bazi_hub
COPY bazi_cli bazi_cli
RUN python -m venv /opt/bazi \
    && /opt/bazi/bin/pip install --no-cache-dir --constraint constraints.txt ".[hub,llm,postgres]"

FROM ${PYTHON_IMAGE}
COPY --from=build /opt/bazi /opt/bazi
RUN useradd --uid 10001 --create-home --home-dir /var/lib/bazi bazi
ENV PATH=/opt/bazi/bin:$PATH PYTHONUNBUFFERED=1 BAZI_HUB_DATABASE_URL=/var/lib/bazi/hub.sqlite3
WORKDIR /var/lib/bazi
USER 10001
VOLUME /var/lib/bazi
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=5)"]
CMD ["bazi", "serve", "--host", "0.0.0.0", "--port", "8000"]
