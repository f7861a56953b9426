"""Images: pictures under a key, in one file each, live at once. Apps have an upload, a replacement, a rename or a deletion when it is answered.

What people upload is never kept: pixels are read in a child process with limits and written into a fresh file. A file is a blob under its hash;
``image_files`` names every blob before it is written, so that no blob is lost sight of. What apps may still show (``former_images``) is served for
a day after it was replaced.
"""
