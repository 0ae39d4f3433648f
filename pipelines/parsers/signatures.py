"""Magic bytes of formats that saero doesn't read, and of document security wrappers."""

from __future__ import annotations

# How wrapped files of document security products begin, as their owners and Microsoft's IPCF_PROTECTED_FILE_HEADER
# report it. A sentence about a product begins with its name, never with one of these.
_DRM = (
    (b"\x9b DRMONE", "Fasoo"),
    (b"<DRMONE  This Document is encrypted", "Fasoo"),
    (b"<!-- FasooSecureContainer", "Fasoo"),
    (b"<DOCUMENT SAFER", "MarkAny Document SAFER"),
    (b"SCDSA00", "SoftCamp"),
    (b"<## NASCA DRM FILE", "NASCA"),
    (b".pfile", "Microsoft Information Protection"),
    (b"NXLFMT", "NextLabs"),
)
# The security handler of Microsoft's rights management in PDF, and the name under which its cover page carries the
# real document. Both stand in the last objects or at the beginning.
_PDF_RIGHTS = b"MicrosoftIRMServices"
PDF_RIGHTS_PRODUCT = "Microsoft rights management"

# (offset, bytes, what it is). Marks of printable letters need a NUL byte near them, or "MZ세대..." is a program.
_FOREIGN = (
    (0, b"\x89PNG", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF8", "a GIF image"),
    (0, b"BM", "a BMP image"),
    (0, b"II*\x00", "a TIFF image"),
    (0, b"MM\x00*", "a TIFF image"),
    (8, b"WEBP", "a WebP image"),
    (0, b"8BPS", "a Photoshop image"),
    (0, b"\x00\x00\x01\x00", "an icon"),
    (0, b"\xd7\xcd\xc6\x9a", "a WMF drawing"),
    (40, b" EMF", "an EMF drawing"),
    (0, b"AC10", "an AutoCAD drawing"),
    (8, b"WAVE", "a sound file"),
    (8, b"AVI ", "a video"),
    (4, b"ftyp", "a video or HEIC image"),
    (0, b"\x1aE\xdf\xa3", "a video"),
    (0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "a Windows Media file"),
    (0, b"ID3", "a sound file"),
    (0, b"\xff\xfb", "a sound file"),
    (0, b"OggS", "a sound file"),
    (0, b"fLaC", "a sound file"),
    (0, b"MZ", "a Windows program"),
    (0, b"\x7fELF", "a Linux program"),
    (0, b"\xcf\xfa\xed\xfe", "a macOS program"),
    (0, b"\xca\xfe\xba\xbe", "a compiled program"),
    (0, b"\x4c\x00\x00\x00\x01\x14\x02\x00", "a Windows shortcut"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"EGGA", "an EGG archive"),
    (0, b"ALZ\x01", "an ALZ archive"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"\xfd7zXZ\x00", "an xz archive"),
    (0, b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"MSCF", "a cabinet archive"),
    (0, b"SQLite format 3\x00", "an SQLite database"),
    (0, b"\x00\x01\x00\x00Standard", "an Access database"),
    (0, b"PAR1", "a Parquet table"),
    (0, b"\x78\x9f\x3e\x22", "Outlook's own package (winmail.dat); ask its sender for a mail in HTML or plain text"),
    (0, b"!BDN", "an Outlook mailbox (.pst)"),
    (0, b"ITSF", "a compiled help file (.chm)"),
    (0, b"\x09\x00\x04\x00", "a sheet of Excel 2.0"),
    (0, b"\x09\x02\x06\x00", "a sheet of Excel 3.0"),
    (0, b"\x09\x04\x06\x00", "a sheet of Excel 4.0"),
)


def drm_product(head: bytes) -> str:
    """Return the security product that wrapped the file; "" when none is recognised."""
    for mark, product in _DRM:
        if not head.startswith(mark):
            continue
        # Marks of letters alone could open a note; what follows them in a wrapped file is binary.
        if mark[:1] in b"<\x9b" or b"\x00" in head[:4096]:
            return product
    return ""


def is_protected_pdf(head: bytes, tail: bytes) -> bool:
    """Tell a PDF that rights management encrypted, from its first and last bytes."""
    return _PDF_RIGHTS in head or _PDF_RIGHTS in tail


def foreign_format(head: bytes) -> str:
    """Return what the bytes are when they belong to a format that isn't read ("a PNG image"); "" otherwise."""
    for offset, mark, what in _FOREIGN:
        if not head.startswith(mark, offset):
            continue
        if offset == 0 and all(32 <= byte < 127 for byte in mark) and b"\x00" not in head[:512]:
            continue
        return what
    if head.startswith(b"{\\rtf"):
        return "a rich text file (.rtf)"
    if head.startswith(b"%!PS"):
        return "a PostScript file"
    return ""
