import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import {
  type FormErrors,
  fieldError,
  readUntrimmedFields,
  successBanner,
  trimToUndefined,
} from '../../platform/html/index.ts';
import {
  type App,
  anyForm,
  keyCursor,
  page,
  type Reply,
  type Request,
  readKeyCursor,
  signedIn,
} from '../../platform/http/index.ts';
import { withoutUndefined } from '../../platform/objects.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { unprocessable } from '../../platform/problem/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { readAddressHistory } from '../channels/address-history.ts';
import { channelLabels, type DeliveryAddresses, errorsInAddresses } from '../channels/addresses.ts';
import { listDeliveryAddresses, listPendingAddresses } from '../channels/addresses-store.ts';
import { channelsInWords, practiceChannelChoices, readChannels } from '../channels/channel-words.ts';
import { practiceChannelNames } from '../model/channels.ts';
import { hasClosed } from './has-closed.ts';
import { type KnownPractice, odsCodeShape } from './practices-store.ts';
import { requirePractice } from './require-practice.ts';
import { searchPractices } from './search-practices.ts';
import { setPracticeChannels } from './set-channels.ts';
import { setPracticeClosed } from './set-practice-closed.ts';

const path = '/operator/practices';
const done = successBanner({
  saved:
    'The way letters reach this practice was saved. A new address is used once somebody confirms it by the emailed link.',
  closed: 'The practice is marked as closed. Its patients’ open referrals are now under “Needs action”.',
  open: 'The practice is marked as open.',
});
const pageLength = 50;
const maxSearchLength = 200;
const querystring = Type.Object({
  search: Type.Optional(Type.String({ maxLength: maxSearchLength })),
  cursor: Type.Optional(Type.String({ maxLength: 100 })),
  done: done.query,
});
const params = Type.Object({ ods_code: Type.String() });

/** The GP practices that the site knows, and how referrals reach each of them. */
export function practicePages(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'));
  // These settings decide where letters about people go, so the person must have signed in recently.
  const recentlySignedIn = page(signedIn('operator'), { needsRecentSignIn: true });
  app.get(path, { config, schema: { querystring } }, async (request, reply) => {
    const { search = '', cursor } = request.query;
    const afterCode = readKeyCursor(cursor || undefined, odsCodeShape);
    const { practices, hasMore } = await searchPractices(deps.db, { search, afterCode, limit: pageLength });
    const next = hasMore ? keyCursor(practices.at(-1)!.odsCode) : undefined;
    return deps.pages.send(request, reply, 'library/practices/templates/practices.njk', {
      search,
      done: done.words(request.query.done),
      rows: practices.map((practice) => ({
        ...practice,
        hasClosed: hasClosed(practice, deps.clock.now()),
        channels: channelsInWords(practice.channels),
      })),
      firstPage: afterCode === undefined,
      nextHref: next && `${path}?${new URLSearchParams({ ...(search && { search }), cursor: next })}`,
    });
  });

  const onePage = { params, querystring: Type.Object({ done: done.query }) };
  app.get(`${path}/:ods_code`, { config: recentlySignedIn, schema: onePage }, async (request, reply) => {
    const practice = await requirePractice(deps.db, request.params.ods_code.toUpperCase());
    const { odsCode } = practice;
    const inUse = await listDeliveryAddresses(deps.db, { odsCode });
    const pending = await listPendingAddresses(deps.db, { odsCode });
    const pendingByChannel = Object.fromEntries(pending.map(({ channel, address }) => [channel, address]));
    const { email = '', mesh = '' } = { ...inUse, ...pendingByChannel };
    const unconfirmed = pending.map(({ channel, address, expiresAt }) => ({
      label: channelLabels[channel] ?? channel,
      address,
      in_use: inUse[channel],
      link_ends_at: expiresAt,
      link_ended: expiresAt <= deps.clock.now(),
    }));
    return sendForm(deps, request, reply, practice, {
      channels: practice.channels,
      email,
      mesh,
      unconfirmed,
      addressChanges: await readAddressHistory(deps, { odsCode }),
      done: done.words(request.query.done),
    });
  });

  app.post(
    `${path}/:ods_code`,
    { config: recentlySignedIn, schema: { params, body: anyForm } },
    async (request, reply) => {
      const practice = await requirePractice(deps.db, request.params.ods_code.toUpperCase());
      const channels = readChannels(request.body, practiceChannelNames);
      const typed = readUntrimmedFields(request.body, ['email', 'mesh']);
      const addresses = (withoutUndefined({
        email: trimToUndefined(typed.email),
        mesh: trimToUndefined(typed.mesh),
      }) ?? {}) as DeliveryAddresses;
      const problem = problemIn(channels, addresses, deps.settings.mode);
      if (problem) {
        const values = { channels, ...typed };
        return sendForm(deps, request, reply.code(unprocessable.status), practice, values, problem);
      }
      const change = { odsCode: practice.odsCode, channels, addresses, ipAddress: request.ip };
      await setPracticeChannels(deps, requireCaller(request), change);
      return reply.redirect(
        `${path}?${new URLSearchParams({ search: practice.odsCode, done: 'saved' })}`,
        303,
      );
    },
  );
  closingRoutes(app, deps);
}

/** The button by which an operator says that a practice has closed, or is open after all. */
function closingRoutes(app: App, deps: WebPlatform): void {
  const form = Type.Object({ closed: Type.Enum(['yes', 'no']) });
  app.get(
    `${path}/:ods_code/closed`,
    { config: page(signedIn('operator')), schema: { params } },
    (request, reply) => reply.redirect(`${path}/${encodeURIComponent(request.params.ods_code)}`, 303),
  );
  app.post(
    `${path}/:ods_code/closed`,
    { config: page(signedIn('operator'), { needsRecentSignIn: true }), schema: { params, body: form } },
    async (request, reply) => {
      const odsCode = request.params.ods_code.toUpperCase();
      const closed = request.body.closed === 'yes';
      await setPracticeClosed(deps, requireCaller(request), { odsCode, closed, ipAddress: request.ip });
      return reply.redirect(
        done.path(`${path}/${encodeURIComponent(odsCode)}`, closed ? 'closed' : 'open'),
        303,
      );
    },
  );
}

function problemIn(
  channels: readonly string[],
  addresses: DeliveryAddresses,
  mode: Settings['mode'],
): FormErrors | undefined {
  if (channels.length === 0) return fieldError('channels', 'Choose at least one channel');
  if (channels.includes('email') && addresses.email === undefined)
    return fieldError('email', 'Enter the email address that letters go to, or choose another channel');
  const [error] = errorsInAddresses(addresses, mode);
  return error && fieldError(error.name, error.message);
}

function sendForm(
  { pages, clock }: WebPlatform,
  request: Request,
  reply: Reply,
  practice: KnownPractice,
  values: {
    channels: readonly string[];
    email: string;
    mesh: string;
    unconfirmed?: readonly object[];
    addressChanges?: readonly object[];
    done?: string | undefined;
  },
  errors?: FormErrors,
): Reply {
  return pages.send(request, reply, 'library/practices/templates/practice.njk', {
    practice,
    hasClosed: hasClosed(practice, clock.now()),
    values,
    unconfirmed: values.unconfirmed,
    addressChanges: values.addressChanges,
    done: values.done,
    errors,
    channelChoices: practiceChannelChoices,
  });
}
