// How loud it is, twenty times a second: the only thing that leaves the sound. It runs where browsers make sound.
const BLOCK_S = 0.05;

class Level extends AudioWorkletProcessor {
  #sum = 0;
  #count = 0;

  process([input]) {
    const samples = input?.[0];
    if (samples) {
      for (const sample of samples) this.#sum += sample * sample;
      this.#count += samples.length;
    }
    if (this.#count >= sampleRate * BLOCK_S) {
      this.port.postMessage(10 * Math.log10(this.#sum / this.#count + 1e-12));
      this.#sum = 0;
      this.#count = 0;
    }
    return true;
  }
}

registerProcessor("level", Level);
