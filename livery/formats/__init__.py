"""Formats: files of other tools, read into texts and written from texts. Pure: no database, no network, no clock.

A *format* reads the bytes of a file into *file texts*, and writes texts to files. A *file text* has the name that the file gives it, and a message
(``sdks/spec/messages.md``). Placeholders and plurals of the file become those of messages, and the other way around. A *remark* reports what a
file has and Livery can't keep, or what Livery has and the file can't keep: nothing is lost silently.
"""
