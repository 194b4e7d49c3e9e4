/**
 * Gives memory back to the system when something is over that took much of it: V8 keeps for later whatever it has claimed,
 * and collects nothing while nobody asks for more. Soon after this call nothing else is done for a quarter of a second, with
 * fifty to a hundred megabytes in use. Only where the process was started with `--expose-gc`, as sites are.
 */
export function giveBackMemory(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'async' });
}
