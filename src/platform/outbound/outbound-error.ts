/** Why a request was not made or its answer not taken. It names no address: those may hold secrets. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
