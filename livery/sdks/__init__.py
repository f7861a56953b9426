"""SDKs: the packages of our SDKs that this installation hands out, and each package that it ever handed out.

A *package file* has its version and a digest in its name, so its bytes never change. Lock files of apps name it: it has to stay when a newer server
brings newer packages.
"""
