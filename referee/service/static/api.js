// Calls to the referee's own API. What is refused is thrown as a Refusal with its words.

export class Refusal extends Error {
  constructor(status, { code, message, hint }) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

// What to say of a fault: a refusal has its own words.
export function wordsOf(fault, otherwise) {
  return fault instanceof Refusal ? `${fault.message} ${fault.hint}` : otherwise;
}

// A call: method, address, and what is sent: nothing, a FormData, or anything that JSON can hold.
export async function call(method, address, body) {
  const headers = { "X-Referee": "page", Accept: "application/json" };
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers["Content-Type"] = "application/json";
  const answer = await fetch(address, {
    method,
    headers,
    body: body === undefined || isForm ? body : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
  });
  const told = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) throw new Refusal(answer.status, told?.error ?? { code: "fault", message: answer.statusText, hint: "" });
  return told;
}
