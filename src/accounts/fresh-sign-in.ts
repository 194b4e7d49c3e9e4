import type { Admitted } from '../platform/http/index.ts';
import type { Platform } from '../platform/platform.ts';

/** Keys and rights are given away only by somebody who signed in a short while ago: a computer left alone does not. */
const freshForMs = 15 * 60_000;

/** Whether somebody signed in a short while ago. */
export function isFresh({ clock }: Pick<Platform, 'clock'>, { signedInAt }: Admitted): boolean {
  return signedInAt !== undefined && clock.now().getTime() - signedInAt.getTime() <= freshForMs;
}
