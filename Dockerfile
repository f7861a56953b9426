FROM python:3.13-slim AS build
COPY requirements/runtime.txt dist/livery-*.whl /build/
RUN python -m venv /opt/livery \
 && /opt/livery/bin/pip install --no-cache-dir --require-hashes -r /build/runtime.txt \
 && /opt/livery/bin/pip install --no-cache-dir --no-deps /build/livery-*.whl

FROM python:3.13-slim
# pg_dump and pg_restore, for `livery backup` and `livery restore` on PostgreSQL.
# Versions are not pinned, because Debian removes the packages of earlier versions.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends postgresql-client \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --system --gid 10001 livery \
 && useradd --system --uid 10001 --gid livery --home-dir /data --no-create-home --shell /usr/sbin/nologin livery \
 && install -d -o livery -g livery -m 700 /data /backups
COPY --from=build /opt/livery /opt/livery
ENV PATH=/opt/livery/bin:$PATH LIVERY_DATA_DIR=/data LIVERY_HOST=0.0.0.0
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=2m --retries=3 \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["livery", "serve"]
