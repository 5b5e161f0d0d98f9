"""The one door to OpenCV: ``from referee.vision.opencv import cv2``.

OpenCV reads its own limits from the environment while it is imported, and on a bare system the import itself
fails; both are dealt with here and nowhere else.
"""

from __future__ import annotations

import os

import numpy as np

from referee.errors import RefereeError

MAX_PIXELS = 120_000_000
"""The largest picture that is decoded: a 108-megapixel phone's; width times height."""

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
# Its warnings about damaged files would only repeat, in other words, what the referee says itself.
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")


class OpenCVMissing(RefereeError, ImportError):
    """OpenCV is not installed, or a library of the system that it needs is not."""

    code = "opencv-missing"


def import_fault(fault: ImportError) -> OpenCVMissing:
    """What to do about an ``import cv2`` that failed."""
    if isinstance(fault, ModuleNotFoundError) and fault.name == "cv2":
        return OpenCVMissing("OpenCV is not installed.", "Install it: pip install opencv-python-headless")
    return OpenCVMissing(
        f"OpenCV cannot be loaded: {fault}.",
        "Install what it needs (Debian, Ubuntu: apt-get install libgl1 libglib2.0-0), "
        "or use opencv-python-headless in an environment of its own, never beside opencv-python.",
    )


try:
    import cv2
except ImportError as fault:
    raise import_fault(fault) from fault

# The house has hands of its own, which OpenCV's would stand in the way of: a warm photo takes 270 ms with its two
# threads and 250 with one, and 350 ms of both cores against 270.
cv2.setNumThreads(1)


# Linux's C library gives blocks back to the system that are larger than the largest it has seen go, up to 32 MB,
# and pages that come fresh from there are cleared first: 5000 of them, 12 ms a photo.  So one goes.
_ = np.empty(31 << 20, np.uint8)
del _

__all__ = ["MAX_PIXELS", "OpenCVMissing", "cv2", "import_fault"]
