/** What can go wrong with a message, by the codes of the specification: at which step, and in which words. */
const faults = {
  '02': ['COLLECT', 'Data file is missing or inaccessible'],
  '06': ['TRANSFER', 'Malformed headers'],
  '07': ['SEND', 'Invalid From Address, the mailbox does not match the authorization header'],
  '08': ['SEND', 'Missing Mex-To header'],
  '12': ['SEND', 'Unregistered to address'],
  '14': ['SEND', 'Message not collected by recipient after 5 days'],
  '16': ['SEND', 'Sender is not allowed to send messages of this type'],
  '17': ['SEND', 'Workflow ID not registered for mailbox'],
  'EPL-150': ['SEND', 'Multiple mailboxes matches'],
  'EPL-151': ['SEND', 'No mailbox matched'],
  'EPL-152': ['SEND', 'Invalid NHS Number'],
  'EPL-153': ['SEND', 'NHS Number not found'],
  'EPL-154': ['SEND', 'NHS Number supplied does not match the demographics'],
  InvalidHeaderChunks: ['SEND', 'Invalid chunk values sent in mex-Chunk-Range header'],
  UnsupportedContentEncoding: ['SEND', 'Unsupported content encoding'],
} as const;

export type FaultCode = keyof typeof faults;

export function isFaultCode(code: unknown): code is FaultCode {
  return typeof code === 'string' && Object.hasOwn(faults, code);
}

export function faultOf(code: FaultCode): { event: string; code: FaultCode; msg: string } {
  const [event, msg] = faults[code];
  return { event, code, msg };
}

/** An answer other than success. `code` is given where the specification has the body of a `MeshError`. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly code: FaultCode | undefined;
  constructor(status: number, words: string, code?: FaultCode) {
    super(words);
    this.status = status;
    this.code = code;
  }
}

export function refuse(code: FaultCode): Refused {
  return new Refused(417, faultOf(code).msg, code);
}
