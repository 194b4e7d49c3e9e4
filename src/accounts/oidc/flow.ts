import { inTransaction } from '../../platform/database/index.ts';
import type { Reply, Request } from '../../platform/http/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { isSecret, newSecret } from '../../platform/secrets/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { hostCookie } from '../sign-in/host-cookie.ts';
import { sessionLength } from '../sign-in/session.ts';
import { insertFlow, takeFlowRow } from './flows-store.ts';
import { notSignedInAnew } from './problems.ts';
import type { FlowSecrets, Person } from './provider.ts';

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

export type ReturnedFlow = Flow & {
  /** Whether it was begun in the browser that came back. */
  readonly sameBrowser: boolean;
  /** The browser's secrets of other flows, which may still be finished. */
  readonly otherBrowserSecrets: readonly string[];
};

const flowMs = 10 * 60_000;
/** Marks the browser that a flow was begun in: only there can it be finished. It has a secret for each flow under way. */
const flowCookie = hostCookie('onward-oidc', flowMs);
/** A browser with more tabs than this at the provider has to begin the oldest again. */
const maxFlowsInCookie = 4;

const flowPurpose = 'oidc flow';
const browserPurpose = 'oidc browser';

/** What only this flow knows: who brings its state back began it, and only with its nonce and verifier it ends. */
export function newFlowSecrets(): FlowSecrets {
  return { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
}

/** The secrets in the browser's cookie, the newest first. */
export function browserSecretsOf(request: Request, settings: Settings): string[] {
  const secrets = flowCookie.of(request, settings)?.split('.') ?? [];
  return secrets.every(isSecret) ? secrets.slice(0, maxFlowsInCookie) : [];
}

/** Leaves these secrets in the browser, and no cookie where there are none. */
export function setBrowserSecrets(reply: Reply, settings: Settings, secrets: readonly string[]): void {
  if (secrets.length === 0) flowCookie.clear(reply, settings);
  else flowCookie.set(reply, settings, secrets.slice(0, maxFlowsInCookie).join('.'));
}

/**
 * Remembers why a browser was sent away, until it comes back.
 * @returns a new secret for the browser's cookie. One that the browser already has is never taken: somebody else may
 * have put it there, and would know it.
 */
export async function keepFlow(deps: Platform, flow: Flow): Promise<string> {
  const { state, ...rest } = flow.secrets;
  const { accountId, ...goal } = flow.goal;
  const browserSecret = newSecret();
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
  browserSecrets: readonly string[],
): Promise<ReturnedFlow | undefined> {
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
  const isOfThisFlow = (secret: string) => row.browserHash.equals(deps.secrets.hash(browserPurpose, secret));
  return {
    goal: { ...goal, accountId: row.accountId },
    secrets: { state, ...rest },
    sameBrowser: browserSecrets.some(isOfThisFlow),
    otherBrowserSecrets: browserSecrets.filter((secret) => !isOfThisFlow(secret)),
  };
}

/** As long as our own sessions at most: a sign-in at the provider that is older is not taken for one of today. */
export function maxSignInAgeMs({ again }: Pick<Goal, 'again'>): number {
  return again ? 0 : sessionLength.maxMs;
}

/**
 * A provider may ignore how old a sign-in there may be, and send somebody with an older one. The flow's time is on top:
 * they may have been asked something there meanwhile. Where it does not say when they signed in, they did so long ago,
 * which is enough for a way in and for no more.
 * @throws Problem `not-signed-in-anew`.
 */
export function requireRecentSignIn(goal: Goal, { signedInMsAgo }: Person, name: string): void {
  if (signedInMsAgo === undefined ? !goal.again : signedInMsAgo <= maxSignInAgeMs(goal) + flowMs) return;
  const fault = goal.again
    ? `This needs somebody who signed in just now, and ${name} does not say that you did.`
    : `You signed in with ${name} more than 12 hours ago.`;
  throw new Problem(notSignedInAnew, `${fault} Sign in another way, or sign out there first.`);
}
