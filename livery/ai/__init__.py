"""AI: texts put into other languages, or into other words, by a translation service.

An *order* has the texts of one call for one project, *masked*: whatever must stay becomes a mark. The marks must come back exactly, or the answer
is not used. A
*job* fills one language of a screen or of all screens. Each of its *batches* is paid once: its texts are stored in the transaction that ends it.
What a person wrote or changed in that time is never overwritten. *Usage* counts characters per project and day, before they are sent.
"""
