"""Installs a Debian package that a check needs, where this may be done."""

import os
import shutil
import subprocess


class Unavailable(Exception):
    """A program is absent and can't be installed here; the message has the reason and what helps."""


def install(*packages: str, remedy: str) -> None:
    """Installs Debian packages. Raises `Unavailable` with ``remedy`` where the user isn't root, or apt-get is absent or fails."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Unavailable(remedy)
    print(f"livery: installing {', '.join(packages)}", flush=True)
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-q"], ["install", "-y", "-q", "--no-install-recommends", *packages]):
        done = subprocess.run(["apt-get", *command], env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Unavailable(f"{remedy} apt-get failed: {(done.stderr or done.stdout).strip()[-300:]}")


def install_proxies() -> None:
    """Installs nginx and Caddy where they are absent. Raises `Unavailable`."""
    packages = {"nginx": "nginx-light", "caddy": "caddy"}
    absent = [package for command, package in packages.items() if not shutil.which(command)]
    if absent:
        install(*absent, remedy=f"A proxy is absent (Debian: apt-get install {' '.join(absent)}).")
