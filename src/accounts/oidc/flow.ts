import { inTransaction } from '../../platform/database/index.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import type { Reply, Request } from '../../platform/http/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { isSecret, newSecret } from '../../platform/secrets/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { hostCookie } from '../sign-in/host-cookie.ts';
import { sessionLength } from '../sign-in/session.ts';
import { insertFlow, takeFlowRow } from './flows-store.ts';
import { signInAgain } from './problems.ts';
import type { FlowSecrets, Person } from './provider.ts';

/** The reason why somebody was sent to the provider. */
export type Goal = {
  readonly purpose: 'sign-in' | 'link' | 'invitation';
  /** The account to link. */
  readonly accountId: string | null;
  /** The secret of the invitation to accept. */
  readonly invitation?: string;
  /** The path to go to afterwards. */
  readonly next: string;
  /** The person must sign in at the provider now, even if they are signed in there: more than a sign-in depends on it. */
  readonly forceSignIn: boolean;
};

export type Flow = { readonly goal: Goal; readonly secrets: FlowSecrets };

export type ReturnedFlow = Flow & {
  /** Whether the browser that came back is the one that started the flow. */
  readonly sameBrowser: boolean;
  /** The browser's secrets of other flows, which are still open. */
  readonly otherBrowserSecrets: readonly string[];
};

export const flowLifetimeMs = 10 * minuteMs;
/** Marks the browser that started a flow, since only that browser can finish it. It has a secret for each open flow. */
const flowCookie = hostCookie('onward-oidc', flowLifetimeMs);
/** Sign-ins that one browser may have open at the provider. With more, the oldest has to start again. */
const maxFlowsInCookie = 4;

const flowPurpose = 'oidc flow';
const browserPurpose = 'oidc browser';

/** Makes the secrets of a flow (OpenID Connect's state, nonce and PKCE verifier). */
export function newFlowSecrets(): FlowSecrets {
  return { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
}

/** The secrets in the browser's cookie, the newest first. */
export function browserSecretsOf(request: Request, settings: Settings): string[] {
  const secrets = flowCookie.read(request, settings)?.split('.') ?? [];
  return secrets.every(isSecret) ? secrets.slice(0, maxFlowsInCookie) : [];
}

/** Sets the cookie to these secrets, and clears it if there are none. */
export function setBrowserSecrets(reply: Reply, settings: Settings, secrets: readonly string[]): void {
  if (secrets.length === 0) flowCookie.clear(reply, settings);
  else flowCookie.set(reply, settings, secrets.slice(0, maxFlowsInCookie).join('.'));
}

/**
 * Stores a flow until the browser comes back.
 * @returns a new secret for the browser's cookie. It is always new, because somebody else may have planted the one that the
 * browser has.
 */
export async function storeFlow(deps: Platform, flow: Flow): Promise<string> {
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
    expiresAt: new Date(now.getTime() + flowLifetimeMs),
  };
  await inTransaction(deps.db, (trx) => insertFlow(trx, row, now));
  return browserSecret;
}

/**
 * Takes the flow that a browser comes back from. A flow can be used only once, even if the sign-in then fails. So
 * another browser that has learnt the state cannot try again.
 * @returns undefined if the query has no state or two, or the flow was used or has expired.
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
  const belongsToFlow = (secret: string) => row.browserHash.equals(deps.secrets.hash(browserPurpose, secret));
  return {
    goal: { ...goal, accountId: row.accountId },
    secrets: { state, ...rest },
    sameBrowser: browserSecrets.some(belongsToFlow),
    otherBrowserSecrets: browserSecrets.filter((secret) => !belongsToFlow(secret)),
  };
}

/** The longest age of a sign-in at the provider. It equals the longest session here. */
export function maxSignInAgeMs({ forceSignIn }: Pick<Goal, 'forceSignIn'>): number {
  return forceSignIn ? 0 : sessionLength.maxMs;
}

/**
 * Checks the age of the sign-in at the provider, which may have ignored our limit. The lifetime of the flow is added,
 * because the provider may have kept the person busy with questions. If the provider does not say when they signed in,
 * they can sign in here, but cannot confirm a sensitive action.
 * @throws Problem `not-signed-in-anew`.
 */
export function requireRecentSignIn(goal: Goal, { signedInMsAgo }: Person, name: string): void {
  const isAgeKnown = signedInMsAgo !== undefined;
  const isRecent = isAgeKnown && signedInMsAgo <= maxSignInAgeMs(goal) + flowLifetimeMs;
  if (isRecent || (!isAgeKnown && !goal.forceSignIn)) return;
  const reason = goal.forceSignIn
    ? `This needs somebody who signed in just now, and ${name} does not say that you did.`
    : `You signed in with ${name} more than ${sessionLength.maxMs / hourMs} hours ago.`;
  throw new Problem(signInAgain, `${reason} Sign in another way, or sign out there first.`);
}
