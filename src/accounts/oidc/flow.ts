import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { isSecret, newSecret } from '../../platform/secrets/index.ts';
import { hostCookie } from '../host-cookie.ts';
import { insertFlow, takeFlowRow } from './flows-store.ts';
import type { FlowSecrets } from './provider.ts';

/** What somebody was sent to the provider for. */
export type Goal = {
  readonly purpose: 'sign-in' | 'link' | 'invitation';
  /** The account that is to be linked. */
  readonly accountId: string | null;
  /** The secret of the invitation that is to be accepted. */
  readonly invitation?: string;
  /** The path to go on to. */
  readonly next: string;
  /** The person must show the provider anew who they are: what comes of it gives more than a way in. */
  readonly again: boolean;
};

export type Flow = { readonly goal: Goal; readonly secrets: FlowSecrets };

export const flowMs = 10 * 60_000;
/** Marks the browser that a flow was begun in: only there can it be finished. */
export const flowCookie = hostCookie('onward-oidc', flowMs);

const flowPurpose = 'oidc flow';
const browserPurpose = 'oidc browser';

/** What only this flow knows: who brings its state back began it, and only with its nonce and verifier it ends. */
export function newFlowSecrets(): FlowSecrets {
  return { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
}

/**
 * Remembers why a browser was sent away, until it comes back.
 * @returns the browser's secret, for its cookie; the one it has is kept, so that two tabs do not end each other's.
 */
export async function keepFlow(deps: Platform, flow: Flow, browser: string | undefined): Promise<string> {
  const { state, ...rest } = flow.secrets;
  const { accountId, ...goal } = flow.goal;
  const browserSecret = browser !== undefined && isSecret(browser) ? browser : newSecret();
  const stateHash = deps.secrets.hash(flowPurpose, state);
  const now = deps.clock.now();
  const row = {
    stateHash,
    browserHash: deps.secrets.hash(browserPurpose, browserSecret),
    accountId,
    sealed: deps.secrets.seal(flowPurpose, stateHash.toString('hex'), JSON.stringify({ goal, rest })),
    expiresAt: new Date(now.getTime() + flowMs),
  };
  await inTransaction(deps.db, (trx) => insertFlow(trx, row, now));
  return browserSecret;
}

/**
 * The flow that a browser comes back from, which is over with this, however it ends: where another browser has learnt
 * of a state, the flow is not left for it to try again. Undefined where there is no state or two, and where it was used
 * or has run out.
 */
export async function takeFlow(
  deps: Platform,
  query: string,
  browser: string | undefined,
): Promise<(Flow & { sameBrowser: boolean }) | undefined> {
  const [state, ...more] = new URLSearchParams(query).getAll('state');
  if (state === undefined || more.length > 0 || !isSecret(state)) return undefined;
  const stateHash = deps.secrets.hash(flowPurpose, state);
  const row = await takeFlowRow(deps.db, stateHash, deps.clock.now());
  if (!row) return undefined;
  const sealed = deps.secrets.open(flowPurpose, stateHash.toString('hex'), row.sealed);
  const { goal, rest } = JSON.parse(sealed) as {
    goal: Omit<Goal, 'accountId'>;
    rest: Omit<FlowSecrets, 'state'>;
  };
  return {
    goal: { ...goal, accountId: row.accountId },
    secrets: { state, ...rest },
    sameBrowser: row.browserHash.equals(deps.secrets.hash(browserPurpose, browser ?? '')),
  };
}
