"""The CDN: a copy of each project's newest release in a bucket that apps read past the server.

A project's **contents** are one immutable object for each language, in the folder of their release. A **pointer** is a small object for each
language and each key for apps; its folder is the key's **address**. A **visit** makes the bucket of one project right.

- Only what is committed is read, and only released content.
- A pointer moves when all contents of its release are there, and never back within an epoch.
- An address lives as long as its key. Folders of releases can't be guessed.
"""
