"""Which document a zip or OLE container holds."""

from __future__ import annotations

import re
import zipfile
from typing import BinaryIO

from pipelines.errors import Corrupt, Drm, Encrypted, Unsupported
from pipelines.parsers.archive import DAMAGED_ZIP

# [Content_Types].xml and mimetype are a few KB; nothing beyond this is looked at to name a format.
_PEEK = 1 << 20
# Main part types of documents, templates, shows and their macro variants (ECMA-376 part 1, section 15).
_MAIN_TYPES = (
    (re.compile(r"wordprocessingml\.(document|template)\.main|ms-word\.\w+\.macroEnabled\w*\.main"), "docx"),
    (re.compile(r"spreadsheetml\.(sheet|template)\.main|ms-excel\.(sheet|template)\.macroEnabled\.main"), "xlsx"),
    (
        re.compile(r"presentationml\.(presentation|slideshow|template)\.main|ms-powerpoint\.\w+\.macroEnabled\.main"),
        "pptx",
    ),
)
_MAIN_PARTS = (("word/document.xml", "docx"), ("xl/workbook.xml", "xlsx"), ("ppt/presentation.xml", "pptx"))
_MIMETYPES = (
    ("hwp+zip", "hwpx"),
    ("opendocument.text", "an OpenDocument text (.odt); save it as .docx"),
    ("opendocument.spreadsheet", "an OpenDocument sheet (.ods); save it as .xlsx"),
    ("opendocument.presentation", "an OpenDocument presentation (.odp); save it as .pptx"),
    ("opendocument", "an OpenDocument file"),
    ("epub+zip", "an EPUB book"),
)
_OTHER_PARTS = (
    ("xl/workbook.bin", "a binary Excel workbook (.xlsb); save it as .xlsx"),
    ("visio/document.xml", "a Visio drawing"),
    ("Index/Document.iwa", "an Apple iWork document; export it as .docx, .pptx or .xlsx"),
    ("AndroidManifest.xml", "an Android program"),
    ("META-INF/MANIFEST.MF", "a Java archive"),
    ("FixedDocSeq.fdseq", "an XPS document; print it to PDF"),
)
_LEGACY_STREAMS = (
    ("WordDocument", "legacy Word .doc; save as .docx"),
    ("PowerPoint Document", "legacy PowerPoint .ppt; save as .pptx"),
    ("__properties_version1.0", "an Outlook mail (.msg); save as .eml"),
    ("VisioDocument", "a Visio drawing"),
    ("Catalog", "a Windows thumbnail cache"),
)


def zip_format(file: BinaryIO) -> str:
    """Return docx, xlsx, pptx or hwpx; raises Unsupported naming any other content, Corrupt for a damaged zip."""
    file.seek(0)
    try:
        archive = zipfile.ZipFile(file)
    except DAMAGED_ZIP as error:
        raise Corrupt("the zip container is damaged or cut short") from error
    names = set(archive.namelist())
    mimetype = _peek(archive, names, "mimetype")
    for mark, what in _MIMETYPES:
        if mark in mimetype:
            if what == "hwpx":
                return what
            raise Unsupported(what)
    types = _peek(archive, names, "[Content_Types].xml")
    for pattern, word in _MAIN_TYPES:
        if pattern.search(types):
            return word
    for part, what in _OTHER_PARTS:
        if part in names:
            raise Unsupported(what)
    for part, word in _MAIN_PARTS:
        if part in names:
            return word
    if any(name.startswith("Contents/") and name.endswith((".hpf", ".xml")) for name in names):
        return "hwpx"
    raise Unsupported("a zip archive; unpack it into the folder")


def _peek(archive: zipfile.ZipFile, names: set[str], name: str) -> str:
    if name not in names:
        return ""
    try:
        with archive.open(name) as member:
            return member.read(_PEEK).decode("utf-8", "replace")
    except DAMAGED_ZIP as error:  # before RuntimeError, of which NotImplementedError is one
        raise Corrupt(f"the part {name} can't be unpacked") from error
    except RuntimeError as error:
        raise Encrypted("the archive is protected by a password") from error


def ole_format(file: BinaryIO) -> str:
    """Return hwp or xls; raises Encrypted, Drm, Unsupported (naming the format) or Corrupt."""
    import olefile

    file.seek(0)
    try:
        with olefile.OleFileIO(file) as ole:
            names = {entry[0]: "/".join(entry) for entry in ole.listdir(streams=True, storages=True) if len(entry) == 1}
            inner = {"/".join(entry) for entry in ole.listdir(streams=True, storages=True)}
            header = ole.openstream("FileHeader").read(32) if "FileHeader" in names else b""
    except Exception as error:
        raise Corrupt("the OLE container is damaged or cut short") from error
    if header.startswith(b"HWP Document File"):
        return "hwp"
    if "\tDRMContent" in names:  # .doc, .xls and .ppt under rights management (MS-OFFCRYPTO, 2.2)
        raise Drm("protected by Microsoft rights management; save an unprotected copy")
    if "EncryptedPackage" in names:
        if any("DRMEncrypted" in name for name in inner):
            raise Drm("protected by Microsoft rights management; save an unprotected copy")
        raise Encrypted("a password is needed to open the document")
    if "Workbook" in names or "Book" in names:
        return "xls"
    for stream, what in _LEGACY_STREAMS:
        if stream in names:
            raise Unsupported(what)
    if "FileHeader" in names or any("HwpSummaryInformation" in name for name in names):
        raise Corrupt("the HWP file header is damaged")
    if not names:
        raise Corrupt("the OLE container holds no stream")
    raise Unsupported("an OLE container of an unknown program")
