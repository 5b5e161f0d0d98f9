// Why there is no live camera, said on the page by the snippet that `phone_help.camera_help` writes.

// Why a page cannot even ask for a camera; null if it can.
export function reasonBefore(where = window) {
  if (where.navigator.mediaDevices?.getUserMedia) return null;
  return where.isSecureContext ? "unsupported" : "insecure";
}

// Why asking for a camera failed: the names are those of the Media Capture standard (section 10.2).
const REASONS = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
};

export function reasonOf(error) {
  return REASONS[error?.name] ?? "unknown";
}

// Show one reason; null hides the snippet again.
export function showReason(help, reason) {
  for (const words of help.querySelectorAll("[data-reason]")) words.hidden = words.dataset.reason !== reason;
  help.hidden = reason === null;
}

// A camera's stream, or null: then the page says why and offers the phone's own camera.
export async function openCamera(constraints, help) {
  let reason = reasonBefore();
  let stream = null;
  if (reason === null) {
    try {
      stream = await navigator.mediaDevices.getUserMedia(constraints);
    } catch (error) {
      reason = reasonOf(error);
    }
  }
  showReason(help, reason);
  return stream;
}
