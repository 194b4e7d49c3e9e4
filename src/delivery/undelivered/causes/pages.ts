import { Type } from 'typebox';
import { type ActionOn, actionOn } from '../../../accounts/index.ts';
import { addressInUse, channelInWords } from '../../../library/index.ts';
import { readFields, successBanner, toFormErrors } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem } from '../../../platform/problem/index.ts';
import type { DeliveryDeps } from '../../channels/deps.ts';
import { channelsToChoose } from '../actions.ts';
import { causeInWords, purposeWords } from '../words.ts';
import {
  askForPractices,
  type Cause,
  isAboutPerson,
  mayArriveTwice,
  mendAddress,
  mendableChannel,
  readCause,
  receiverOf,
  resolveCause,
  retryCause,
  rowsToAskAbout,
  willFailAgain,
} from './causes.ts';

const listPath = '/operator/deliveries';
const path = `${listPath}/causes/:id`;
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const labels = { channel: 'Channel', address: 'Address', words: 'What you did' };

export const causesDone = successBanner({
  retried: 'All messages of that cause are tried again now. Those that fail come back to this list.',
  'another-way': 'All messages of that cause are sent the way you chose.',
  gone: 'Those messages are not undelivered any more: somebody has retried them, or they have arrived.',
  'too-late':
    'Your address was not saved: another operator has replaced it meanwhile, or has retried those messages.',
  resolved: 'Those messages are marked as resolved.',
  asked:
    'The referrers are asked for the GP practice, by email and in their list. Each letter is sent when its practice is named.',
  mended:
    'The address was replaced. The link that confirms it was emailed. Once it is confirmed, all messages are sent.',
});

/** The page of one cause, which is named by any of its messages: what helps them all is done once. */
export function causePages(app: App, deps: DeliveryDeps & WebPlatform): void {
  const config = page(signedIn('operator'));
  app.get(path, { config, schema: { params } }, (request, reply) =>
    sendCausePage(deps, request, reply, 'cause', {}),
  );

  // A changed address decides who reads letters.
  const fresh = page(signedIn('operator'), { needsRecentSignIn: true });
  app.get(`${path}/address`, { config: fresh, schema: { params } }, (request, reply) =>
    sendCausePage(deps, request, reply, 'address', {}),
  );

  const onPost = (
    name: string,
    {
      config: access,
      code,
      shows,
    }: { config: typeof config; code: Parameters<typeof causesDone.path>[1]; shows: CausePage },
    work: (act: ActionOn, form: Record<'channel' | 'address' | 'words', string>) => Promise<unknown>,
  ) =>
    app.post(
      `${path}/${name}`,
      { config: access, schema: { params, body: anyForm } },
      async (request, reply) => {
        const values = readFields(request.body, ['channel', 'address', 'words']);
        try {
          const isTooLate = (await work(actOf(request), values)) === 'too-late';
          return reply.redirect(causesDone.path(listPath, isTooLate ? 'too-late' : code), 303);
        } catch (error) {
          if (!(error instanceof Problem) || error.kind.status >= 500) throw error;
          if (error.kind === notFound) return reply.redirect(causesDone.path(listPath, 'gone'), 303);
          const errors = toFormErrors(labels, error);
          return sendCausePage(deps, request, reply.code(error.kind.status), shows, { values, errors });
        }
      },
    );
  onPost('retry', { config, code: 'retried', shows: 'cause' }, (act) => retryCause(deps, act));
  onPost('another-way', { config, code: 'another-way', shows: 'cause' }, (act, { channel }) =>
    retryCause(deps, act, channel),
  );
  onPost('done', { config, code: 'resolved', shows: 'cause' }, (act, { words }) =>
    resolveCause(deps, act, words),
  );
  onPost('ask', { config, code: 'asked', shows: 'cause' }, (act) => askForPractices(deps, act));
  onPost('address', { config: fresh, code: 'mended', shows: 'address' }, (act, { address }) =>
    mendAddress(deps, act, address),
  );
}

type CausePage = 'cause' | 'address';

function actOf(request: Request): ActionOn {
  return actionOn(request, (request.params as { id: string }).id);
}

async function sendCausePage(
  deps: DeliveryDeps & WebPlatform,
  request: Request,
  reply: Reply,
  shown: CausePage,
  more: object,
): Promise<Reply> {
  const act = actOf(request);
  const cause = await readCause(deps, act);
  const channel = mendableChannel(cause);
  if (shown === 'address' && !channel) throw new Problem(notFound);
  const receiver = receiverOf(cause);
  return deps.pages.send(
    request,
    reply,
    `delivery/templates/${shown === 'cause' ? 'cause' : 'mend-address'}.njk`,
    {
      cause: causeInWords(cause),
      address: `${listPath}/causes/${act.id}`,
      rows: cause.rows.map((row) => ({ ...row, what: purposeWords(row) })),
      channel,
      aboutPerson: isAboutPerson(cause) ? cause.fault : undefined,
      willFailAgain: willFailAgain(cause),
      ringFirst: mayArriveTwice(cause),
      isUnnamed: cause.kind === 'no-practice',
      toAsk: rowsToAskAbout(cause).length,
      inUse: shown === 'address' && channel && receiver && (await addressInUse(deps.db, receiver, channel)),
      settingsHref: cause.isServiceHidden ? undefined : settingsOf(cause),
      ways: channelsToChoose(deps, cause.leg).map((value) => ({
        value,
        text: `${channelInWords(value)}${value === cause.channel ? ' (tried already)' : ''}`,
      })),
      values: {},
      ...more,
    },
  );
}

/** Where an operator sets how messages reach the receiver. */
function settingsOf({ leg, receiverId, kind }: Cause): string | undefined {
  if (receiverId === null || kind === 'no-practice') return undefined;
  const id = encodeURIComponent(receiverId);
  return leg === 'service' ? `/services/${id}/referral-settings` : `/operator/practices/${id}`;
}
