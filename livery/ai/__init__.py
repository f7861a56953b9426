"""AI: texts put into other languages, or into other words, by a translation service.

An *order* is one call's worth of texts of one project, *masked*: what code fills in travels as marks and comes back exactly, or the answer is
not used. A *job* fills one language of a screen or of all; its *batches* are paid once each: a batch's texts are stored in the transaction
that ends it. What a person wrote or changed meanwhile is never overwritten. *Usage* counts characters per project and day, before they are sent.
"""
