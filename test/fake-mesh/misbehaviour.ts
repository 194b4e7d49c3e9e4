const operations = [
  'handshake',
  'send',
  'send-chunk',
  'list',
  'download',
  'acknowledge',
  'track',
  'lookup',
] as const;
export type Operation = (typeof operations)[number];

/**
 * What the exchange does instead of what it should, once. `slow`: it does it, and never answers. `cut-off`: it does it, and
 * the connection ends before the answer. `cut-before`: the connection ends when the body has come, and nothing is done.
 * A number: it answers this status, and does nothing.
 */
export type Misbehaviour = {
  operation: Operation;
  do: 'slow' | 'cut-off' | 'cut-before' | number;
};

export function isMisbehaviour(value: unknown): value is Misbehaviour {
  const { operation, do: what } = (value ?? {}) as Record<string, unknown>;
  const named = what === 'slow' || what === 'cut-off' || what === 'cut-before';
  const status = Number.isInteger(what) && Number(what) >= 400 && Number(what) <= 599;
  return operations.includes(operation as Operation) && (named || status);
}

/** Those that wait for a request of their operation, the first one first. */
export function createMisbehaviours() {
  const waiting: Misbehaviour[] = [];
  return {
    add: (misbehaviour: Misbehaviour) => void waiting.push(misbehaviour),
    take(operation: Operation | undefined): Misbehaviour['do'] | undefined {
      const index = waiting.findIndex((each) => each.operation === operation);
      return index < 0 ? undefined : waiting.splice(index, 1)[0]!.do;
    },
  };
}
