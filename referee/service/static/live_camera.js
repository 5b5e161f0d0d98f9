// The browser's camera, or a video file, as JPEG frames with their moments; tells when it stands still or is gone.

const WIDTH = 1280;
const HEIGHT = 720;
const QUALITY = 0.85;
const STILL_MS = 1000;
const SAME_MS = 1300; // a sensor's noise never makes so many files of one size after another
const SAME_FRAMES = 6;
const LATEST_MS = 400;

export class Camera {
  #canvas = document.createElement("canvas");
  #fresh = 0; // frames that the video has shown
  #taken = 0;
  #arrived = -Infinity;
  #captured = null;
  #size = 0;
  #sameSince = 0;
  #same = 0;
  #watching = false;
  stream = null;
  file = null;
  trouble = null; // "frozen" or "ended"

  constructor(video) {
    this.video = video;
  }

  // Shows a stream; the size is asked for, not forced.
  static wanted({ device = null, facing = "environment" } = {}) {
    const which = device ? { deviceId: { exact: device } } : { facingMode: { ideal: facing } };
    return { video: { ...which, width: { ideal: WIDTH }, height: { ideal: HEIGHT }, frameRate: { ideal: 30 } }, audio: false };
  }

  async show(stream) {
    this.close();
    this.stream = stream;
    const [track] = stream.getVideoTracks();
    track.addEventListener("ended", () => this.stream === stream && this.#fails("ended"));
    this.video.srcObject = stream;
    await this.#starts();
  }

  async play(file) {
    this.close();
    this.file = file;
    this.video.src = URL.createObjectURL(file);
    this.video.loop = false;
    await this.#starts();
  }

  async #starts() {
    this.trouble = null;
    this.#arrived = performance.now();
    this.#same = 0;
    await this.video.play();
    if (!this.#watching) this.#watch();
  }

  get open() {
    return this.stream !== null || this.file !== null;
  }

  get device() {
    return this.stream?.getVideoTracks()[0]?.getSettings() ?? {};
  }

  #watch() {
    this.#watching = true;
    if (!this.video.requestVideoFrameCallback) {
      let shown = -1;
      const look = () => {
        if (this.video.currentTime !== shown) this.#sees(performance.now(), {});
        shown = this.video.currentTime;
        requestAnimationFrame(look);
      };
      look();
      return;
    }
    const look = (now, about) => {
      this.#sees(now, about);
      this.video.requestVideoFrameCallback(look);
    };
    this.video.requestVideoFrameCallback(look);
  }

  #sees(now, { captureTime }) {
    this.#fresh++;
    this.#arrived = performance.now();
    this.#captured = captureTime && now - captureTime < 1000 ? captureTime : now;
  }

  // The next frame that has not been taken: {jpeg, at} at a moment of performance.now(); null if none comes.
  async frame() {
    const until = performance.now() + LATEST_MS;
    while (this.#fresh === this.#taken && performance.now() < until) await pause(4);
    if (this.#fresh === this.#taken || !this.open || !this.video.videoWidth) return null;
    this.#taken = this.#fresh;
    const at = Math.min(this.#captured ?? performance.now(), performance.now());
    const scale = Math.min(1, WIDTH / Math.max(this.video.videoWidth, this.video.videoHeight));
    this.#canvas.width = Math.round(this.video.videoWidth * scale);
    this.#canvas.height = Math.round(this.video.videoHeight * scale);
    this.#canvas.getContext("2d", { alpha: false }).drawImage(this.video, 0, 0, this.#canvas.width, this.#canvas.height);
    const jpeg = await new Promise((done) => this.#canvas.toBlob(done, "image/jpeg", QUALITY));
    if (jpeg) this.#compare(jpeg.size);
    return jpeg && { jpeg, at };
  }

  // Frames of a camera that all have the same size are one frame, shown again and again.
  #compare(size) {
    const now = performance.now();
    if (size !== this.#size || this.file) this.#same = 0;
    if (this.#same === 0) this.#sameSince = now;
    this.#size = size;
    this.#same++;
  }

  // To be asked a few times a second: what is wrong, or null.
  check() {
    if (!this.open || this.trouble === "ended") return this.trouble;
    const now = performance.now();
    if (this.file) return (this.trouble = null);
    const stands = now - this.#arrived > STILL_MS;
    const same = this.#same >= SAME_FRAMES && now - this.#sameSince > SAME_MS;
    const track = this.stream.getVideoTracks()[0];
    if (track.readyState === "ended") this.#fails("ended");
    else this.trouble = stands || same || track.muted ? "frozen" : null;
    return this.trouble;
  }

  get isOver() {
    return this.file !== null && this.video.ended;
  }

  #fails(trouble) {
    this.trouble = trouble;
  }

  close() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    if (this.file) URL.revokeObjectURL(this.video.src);
    this.stream = this.file = null;
    this.video.srcObject = null;
    this.video.removeAttribute("src");
  }
}

export function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

// The cameras that there are; their names are told once the page was allowed one of them.
export async function cameras() {
  const all = (await navigator.mediaDevices?.enumerateDevices?.()) ?? [];
  return all.filter(({ kind }) => kind === "videoinput");
}
