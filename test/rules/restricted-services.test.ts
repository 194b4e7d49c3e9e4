import { Readable } from 'node:stream';
import { parse } from 'node-html-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { siteActor } from '../../src/audit/index.ts';
import { watchDeliveries } from '../../src/delivery/index.ts';
import { importServices } from '../../src/exchange/index.ts';
import { dayMs } from '../../src/platform/durations.ts';
import { declaredRoutes } from '../../src/platform/http/access.ts';
import { listCapturedMails } from '../../src/platform/mail/index.ts';
import { escalateWatches, remindOverdue, updatePrompts } from '../../src/referrals/index.ts';
import { storeNewAccessToken } from '../../src/tokens/index.ts';
import { emailsOfPeopleNamed } from '../accounts/stored.ts';
import { aPractice, aReferral, aService, aTokenHolder } from '../app/builders.ts';
import { listJobs } from '../app/jobs.ts';
import { makeApp } from '../app/make-app.ts';
import { isSlowRun, withSlowCases } from '../app/runs.ts';
import { until } from '../app/until.ts';
import { storedIds } from '../database/stored.ts';
import { aNamedKey } from '../people/named-keys.ts';
import { plainBrowser } from '../people/plain-browser.ts';
import { signedInBrowser } from '../people/signed-in-browser.ts';
import { liveEnv } from '../process/live-env.ts';
import { backdateEnd } from '../referrals/stored.ts';

// No answer may reveal that somebody is referred to a refuge. This test calls every GET route as each person who may
// not know it. New routes are called too: with all kinds of ids, unless the test has values for their parameters.

/** Only the refuge, its people and its addresses have these words. */
const refuge = {
  id: 'larkspur-house',
  name: 'Larkspur House',
  description: 'Rooms for people who need a safe place.',
  email: 'hello@larkspur.example.org',
  status: 'active',
  organization_id: 'larkspur-trust',
  organization: { id: 'larkspur-trust', name: 'Larkspur Trust', description: 'Safe places.' },
  service_at_locations: [
    {
      id: 'larkspur-at',
      location: {
        id: 'larkspur-place',
        location_type: 'physical',
        name: 'Foxglove Cottage',
        latitude: 54.0512345,
        longitude: -2.1512345,
        addresses: [
          {
            id: 'larkspur-address',
            address_1: '1 Foxglove Lane',
            city: 'Sarrowby',
            state_province: 'Yorkshire',
            postal_code: 'ZT9 9QQ',
            country: 'GB',
            address_type: 'physical',
          },
        ],
      },
    },
  ],
};
const deliveryAddress = 'intake@larkspur-inbox.example.org';
/** Its name, organisation, people, ids and email addresses. */
const nameWords = /larkspur/i;
/** Where it is: nobody reads that anywhere. */
const placeWords = /foxglove|ZT9 ?9QQ|54\.0512|2\.1512/i;
const familyName = 'Quillfeather';

/**
 * What these show of the refuge is what the library, its accounts and the audit of its settings say. A service may be found; what may not
 * be read is that somebody is referred to it. So what names the refuge here must name no referral.
 */
const maySpeakOfServices = [
  '/api/library/',
  '/services',
  '/lists',
  '/library',
  '/operator/library',
  '/operator/accounts',
  '/operator/organisations',
  '/operator/audit',
  '/operator/looks',
  '/operator/return-addresses',
  '/account',
];
/**
 * Shows a test site’s messages, whose people are made up, exactly as they would have gone. A live site does not have
 * it. Emails to people who may not know are checked separately.
 */
const outbox = /^\/outbox(\/|$)/;
/** A copy for the person themselves, packed for a reason. The person who reviews it has opened the referrals, and the referrer sees that. */
const copies = /^\/(api|operator)\/patients\/copies\//;
/** People who set how a service receives referrals read its address here. */
const settingsOf =
  /^\/(api\/library\/services\/:id\/(referral_settings|history)|services\/:id\/(referral-settings|history))$/;

type Outsider = { who: string; headers: Record<string, string>; kind: 'api' | 'pages'; webhook?: string };

type World = Awaited<ReturnType<typeof makeWorld>>;

/** A site with a referral to the refuge that has everything a referral can have, and the people who call the routes. */
async function makeWorld(mode: 'test' | 'live') {
  const live = {
    ...liveEnv,
    // Nothing listens there: emails wait.
    ONWARD_SMTP_URL: 'smtps://127.0.0.1:9',
    ONWARD_MAIL_FROM: 'onward@example.org',
    ONWARD_SECOND_FACTORS_NOT_REQUIRED_BECAUSE: 'This is a test.',
  };
  const env = { ONWARD_REMIND_AFTER_DAYS: '1', ...(mode === 'live' && live) };
  const site = await makeApp({ worker: true, env });
  afterAll(() => site.close());
  const { deps, app } = site;
  await importServices(deps, siteActor, Readable.from([Buffer.from(JSON.stringify(refuge))]));
  const choir = await aService(deps, { serviceName: 'Thursday choir' });
  await aPractice(deps);
  const surgery = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
  const referrer = await aTokenHolder(deps, { organisation: surgery, name: 'Rita Referrer' });
  const ofRefuge = { name: 'Larkspur Trust', libraryOrganizationId: refuge.organization_id };
  const staff = await aTokenHolder(deps, {
    role: 'provider',
    organisation: ofRefuge,
    name: 'Petra Larkspur-Jones',
  });
  const oldOperator = await aTokenHolder(deps, { role: 'operator', name: 'Omar Operator' });

  const send = async (
    { headers }: { headers: Record<string, string> },
    path: string,
    payload: object | string,
    more: Record<string, string> = {},
    method: 'POST' | 'PUT' | 'PATCH' = 'POST',
  ) => {
    const answer = await app.inject({ method, url: path, headers: { ...headers, ...more }, payload });
    expect(answer.statusCode, `${path} ${answer.body}`).toBeLessThan(300);
    return answer.body.startsWith('{') ? answer.json() : {};
  };
  await send(
    oldOperator,
    `/api/library/services/${refuge.id}/referral_settings`,
    {
      accepts: true,
      channels: ['inbox'],
      sensitive: true,
      location_confidential: true,
      addresses: { email: deliveryAddress },
    },
    {},
    'PUT',
  );
  const asSeen = (version: number) => ({ 'if-match': `"${version}"` });
  const person = (family_name: string) => {
    const { patient, ...rest } = aReferral(refuge.id);
    const { nhs_number: _, ...known } = patient;
    return { ...rest, patient: { ...known, family_name }, urgency: 'urgent' };
  };

  // A referral with everything that a referral can have.
  const referral = await send(referrer, '/api/referrals', person(familyName));
  const path = `/api/referrals/${referral.id}`;
  await until(async () => (await deliveriesOf()).every(({ status }) => status !== 'queued'));
  await send(staff, `${path}/accept`, {}, asSeen(1));
  const reason = { code: 'no-capacity', text: 'Larkspur House is full.' };
  await send(staff, `${path}/hold`, { status_reason: reason, expected_date: '2026-12-18' }, asSeen(2));
  const message = await send(staff, `${path}/messages`, {
    text: 'Come to Larkspur House, to Petra Larkspur.',
  });
  await send(staff, `${path}/things-have-changed`, { text: 'She rang us at Larkspur House.' });
  const edge = 'edge';
  const file = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="larkspur-plan.pdf"\r\n\r\n%PDF-1.7 Larkspur\r\n--${edge}--\r\n`;
  const attachment = await send(staff, `${path}/attachments`, file, {
    'content-type': `multipart/form-data; boundary=${edge}`,
  });
  async function deliveriesOf(id = referral.id): Promise<{ id: string; status: string }[]> {
    const found = await app.inject({ url: `/api/referrals/${id}/deliveries`, headers: referrer.headers });
    return found.json().items;
  }

  // One whose message to the service bounces, and one whose service does not answer.
  const bounced = await send(referrer, '/api/referrals', person('Bounced'));
  const silent = await send(referrer, '/api/referrals', person('Quillsilent'));
  await until(async () =>
    (await Promise.all([deliveriesOf(bounced.id), deliveriesOf(silent.id)]))
      .flat()
      .every(({ status }) => status !== 'queued' && status !== 'sending'),
  );
  const old = await send(referrer, '/api/referrals', person('Quillold'));
  const lastReason = { status_reason: { code: 'other', text: 'Not needed.' } };
  await send(referrer, `/api/referrals/${old.id}/cancel`, lastReason, asSeen(1));
  await backdateEnd(deps.db, old.id, '9 years', { status: 'cancelled', now: site.clock.now() });
  const draft = await send(referrer, '/api/referrals', { ...person('Quilldraft'), status: 'draft' });

  site.clock.moveOn(6 * dayMs);
  await watchDeliveries(deps);
  await escalateWatches(deps);
  await remindOverdue(deps);
  await updatePrompts(deps);

  const token = async ({ id }: { id: string }) => {
    const { text } = await storeNewAccessToken(deps, id, 'apikeys');
    return { authorization: `Bearer ${text}` };
  };
  const outsider = async (who: string, given: Parameters<typeof signedInBrowser>[1]): Promise<Outsider[]> => {
    const browser = await signedInBrowser(site, { name: `${who} Outsider`, ...given });
    const headers = await token(browser);
    const hook = await send({ headers }, '/api/webhooks', {
      url: 'https://hooks.example.org/x',
      event_types: ['*'],
    });
    return [
      { who, kind: 'api', headers, webhook: hook.id },
      { who, kind: 'pages', headers: browser.headers, webhook: hook.id },
    ];
  };
  const ofChoir = { name: choir.organizationName, libraryOrganizationId: choir.organizationId };
  const keyHolder = await aNamedKey(site, referrer.id, { scopes: ['library:read'] });
  const outsiders: Outsider[] = [
    ...(await outsider('operator', { role: 'operator' })),
    ...(await outsider('colleague', { organisation: surgery })),
    ...(await outsider('other provider', { role: 'provider', organisation: ofChoir })),
    { who: 'nobody', kind: 'api', headers: {} },
  ];
  // Each calls hundreds of addresses. What these may see is put together from what the others may see.
  if (isSlowRun && mode === 'live')
    outsiders.push(
      ...(await outsider('operator of the same surgery', {
        organisation: surgery,
        roles: ['referrer', 'operator'],
      })),
      ...(await outsider('other referrer', { organisation: { name: 'Weir Surgery', odsCode: 'Z99002' } })),
      ...(await outsider('manager', { roles: ['referrer', 'provider'], organisation: ofChoir })),
      {
        who: 'key of the referrer for the library',
        kind: 'api',
        headers: { authorization: `Bearer ${await keyHolder.accessToken()}` },
      },
    );
  const insider: Outsider = { who: 'referrer', kind: 'api', headers: await token(referrer) };

  // Both sides go on while webhooks are called.
  const read = await app.inject({ url: path, headers: insider.headers });
  const staffNow = { headers: await token(staff) };
  await send(staffNow, `${path}/start`, {}, asSeen(read.json().version));

  const listId = (await send(insider, '/api/library/lists', { name: 'For this week' })).id;
  await send(insider, `/api/library/lists/${listId}/services/${refuge.id}`, {}, {}, 'PUT');
  const oldOperatorNow = { headers: await token(oldOperator) };
  const deliveryIds = (
    await Promise.all([referral, bounced, silent].map(({ id }) => listDeliveryIds(id)))
  ).flat();
  async function listDeliveryIds(id: string): Promise<string[]> {
    const found = await app.inject({ url: `/api/referrals/${id}/deliveries`, headers: insider.headers });
    return found.json().items.map((each: { id: string }) => each.id);
  }
  const captured = await storedIds(deps.db, 'captured_messages');
  const organisations = await storedIds(deps.db, 'organisations');
  const imports = await storedIds(deps.db, 'library_imports');
  const prompts = await storedIds(deps.db, 'referral_prompts');
  await send(oldOperatorNow, '/api/patients/export', {
    given_name: referral.patient.given_name,
    family_name: familyName,
    birth_date: referral.patient.birth_date,
    reason: 'Asked for by letter; ticket 311.',
  });
  const asked = await plainBrowser(app).post('/rights', {
    kind: 'complain',
    name: 'Quilla Feather',
    contact: '01632 960177',
    words: 'My sister was told of it.',
  });
  const referrals = [referral, bounced, silent, old, draft];
  /** Words that say which referral or person it is. */
  const traces = new RegExp(
    [
      ...referrals.flatMap(({ id, reference }) => [id, reference]),
      familyName,
      'Quillsilent',
      'Quillold',
      'Quilldraft',
    ].join('|'),
  );
  const values: Record<string, (outsider: Outsider) => string[]> = {
    '/api/referrals/:id': () => referrals.map(({ id }) => id),
    '/referrals/:id': () => referrals.map(({ id }) => id),
    '/api/deliveries/:id': () => deliveryIds,
    '/operator/deliveries/:id': () => deliveryIds,
    '/operator/deliveries/causes/:id': () => deliveryIds,
    ':message_id': () => [message.id],
    ':attachment_id': () => [attachment.id],
    ':number': () => ['1'],
    ':prompt_id': () => [...prompts, '1'],
    '/api/library/services/:id': () => [refuge.id],
    '/api/library/service_at_locations/:id': () => ['larkspur-at'],
    '/api/library/organizations/:id': () => [refuge.organization_id],
    '/api/library/taxonomies/:id': () => ['none'],
    '/api/library/taxonomy_terms/:id': () => ['none'],
    ':postcode': () => ['ZT9 9QQ'],
    ':ods_code': () => ['Z99001'],
    '/services/:id': () => [refuge.id],
    '/lists/:id': () => [listId],
    '/api/library/lists/:id': () => [listId],
    '/api/reports/:id': () => ['A4', 'F2'],
    '/outbox/emails/:id': () => [],
    '/outbox/:id': () => captured,
    ':key': () => ['none'],
    ':name': () => ['letter.pdf'],
    '/outbox/calls/:number': () => ['1'],
    '/webhooks/:id': ({ webhook }) => (webhook ? [webhook] : []),
    '/api/webhooks/:id': ({ webhook }) => (webhook ? [webhook] : []),
    '/operator/accounts/:id': () => [staff.id],
    '/operator/organisations/:id': () => organisations,
    '/operator/library/imports/:id': () => imports,
    '/operator/patients/referrals/:id': () => referrals.map(({ id }) => id),
    '/operator/requests/:id': () => [String(asked.headers.location).split('/').at(-1)!],
    '/rights/sent/:id': () => [String(asked.headers.location).split('/').at(-1)!],
    '/operator/deliveries/unmatched/:id': () => ['1'],
    '/api/simulator/troubles/:id': () => ['1'],
    '/apikeys/keys/:key': () => ['none'],
    '/system-accounts/:id': () => ['none'],
    '/account/passkeys/:id': () => ['none'],
    '/problems/:type': () => ['not-found'],
    anything: () => [referral.id, deliveryIds[0]!, refuge.id, message.id, attachment.id, staff.id],
    // Secrets that only their receivers have.
    ':token': () => ['unknown'],
    ':secret': () => ['unknown'],
  };
  return { site, outsiders, insider, traces, values };
}

/** The addresses of a route, with the ids of what there is. */
function addressesOf({ values }: World, url: string, outsider: Outsider): string[] {
  const prefix = Object.keys(values).find(
    (key) => key.startsWith('/') && (url === key || url.startsWith(`${key}/`)),
  );
  let addresses = [url];
  if (prefix) {
    const own = prefix.slice(prefix.lastIndexOf(':'));
    addresses = values[prefix]!(outsider).map((value) => url.replace(own, encodeURIComponent(value)));
  }
  for (const name of url.match(/:\w+/g) ?? []) {
    if (!addresses.some((each) => each.includes(name))) continue;
    addresses = addresses.flatMap((each) =>
      (values[name] ?? values.anything!)(outsider).map((value) =>
        each.replace(name, encodeURIComponent(value)),
      ),
    );
  }
  return addresses;
}

/** What filters narrow lists to, so that the answer to a filter tells nothing either. */
const queriesOf: Record<string, string[]> = {
  '/api/referrals': [
    '',
    '?limit=1',
    `?service_id=${refuge.id}`,
    '?service=Larkspur%20House',
    '?overdue=true',
  ],
  '/referrals': ['', '?view=all', '?view=received', '?view=made', '?overdue=true', '?waiting=true'],
  '/api/deliveries': ['', '?open=false', '?kind=unanswered', '?kind=failed'],
  '/operator/deliveries': ['', '?show=closed', '?kind=unanswered'],
  '/operator/reports': ['', '?months=3', '?months=60', '?from=2026-11-01&to=2026-11-30'],
  '/operator/reports/referrals': [
    '?from=2026-11-01&to=2026-11-30&figure=waited-long',
    '?from=2026-11-01&to=2026-11-30&figure=overdue',
  ],
  '/operator/reports.csv': ['', '?from=2026-11-01&to=2026-11-30'],
  '/api/reports/summary': ['?from=2026-11-01&to=2026-11-30'],
  '/api/reports/:id': ['?from=2026-11-01&to=2026-11-30'],
  '/operator/audit': [
    '',
    '?who=Larkspur%20Trust',
    '?who=Petra%20Larkspur-Jones',
    '?action=referral.accepted',
  ],
  '/api/events': ['', '?type=referral.accepted'],
};

/** Routes that at least one caller must be able to read. Otherwise the test would not check them. */
const mustBeReached = [
  '/',
  '/api/referrals',
  '/api/referrals/:id',
  '/api/referrals/:id/deliveries',
  '/api/referrals/:id/history',
  '/api/referrals/:id/messages',
  '/api/referrals/:id/attachments',
  '/referrals',
  '/referrals/:id',
  '/api/deliveries',
  '/api/deliveries/:id',
  '/operator/deliveries',
  '/operator/deliveries/:id',
  '/api/events',
  '/webhooks/:id',
  '/api/webhooks/:id/attempts',
  '/operator/audit',
  '/operator/looks',
  '/operator/reports',
  '/operator/patients/referrals/:id',
  '/operator/patients/erasure',
  '/api/library/services/:id',
  '/services/:id',
  '/lists/:id',
];

type Asked = { url: string; route: string; status: number; text: string };

async function askAll(world: World, outsider: Outsider): Promise<Asked[]> {
  const routes = declaredRoutes(world.site.app as never).filter(
    ({ method, url }) =>
      method === 'GET' &&
      !url.startsWith('/assets/') &&
      !copies.test(url) &&
      url.startsWith('/api/') === (outsider.kind === 'api'),
  );
  const asked: Asked[] = [];
  for (const { url: route } of routes)
    for (const address of addressesOf(world, route, outsider))
      for (const query of queriesOf[route] ?? ['']) {
        const url = `${address}${query}`;
        const answer = await world.site.app.inject({ url, headers: outsider.headers });
        const headers = JSON.stringify(answer.headers);
        asked.push({ url, route, status: answer.statusCode, text: `${headers}\n${answer.body}` });
      }
  return asked;
}

/** Each item of a list is checked by itself: two items on one page are not connected. */
function thingsOf({ text, route }: Asked): string[] {
  const body = text.slice(text.indexOf('\n') + 1);
  if (route.endsWith('.ndjson') || route.endsWith('.csv')) return body.split('\n');
  if (body.startsWith('{')) {
    const items = JSON.parse(body).items ?? JSON.parse(body).contents;
    // Everybody may know that an entry of the library has changed.
    const things = Array.isArray(items) && items.filter(({ type }) => type !== 'service.changed');
    if (things) return things.map((each) => JSON.stringify(each));
  }
  if (!route.startsWith('/operator/')) return [text];
  const page = parse(body);
  const rows = page.querySelectorAll('tbody tr, main li, main dl');
  const texts = rows.map((row) => row.innerHTML);
  for (const row of rows) row.remove();
  return [...texts, page.innerHTML];
}

function leaksIn({ traces }: World, asked: Asked): string[] {
  const { route, url, status } = asked;
  const where = `${url} (${status})`;
  const found: string[] = [];
  if (placeWords.test(asked.text.replaceAll(url, ''))) found.push(`${where} says where it is`);
  if (outbox.test(route)) return found;
  // What somebody typed comes back in the page’s own address.
  const text = asked.text.replaceAll(/[?&](service|who|service_id)=[^"&\s]*/g, '');
  if (text.includes(deliveryAddress) && !settingsOf.test(route))
    found.push(`${where} has its delivery address`);
  const speaksOfServices = maySpeakOfServices.some((each) => route.startsWith(each));
  const things = thingsOf({ ...asked, text });
  for (const thing of things)
    if (speaksOfServices ? nameWords.test(thing) && traces.test(thing) : nameWords.test(thing)) {
      const at = nameWords.exec(thing)!.index;
      found.push(`${where}: …${thing.slice(Math.max(0, at - 120), at + 60)}…`);
    }
  return found;
}

const modes = withSlowCases<'live' | 'test'>(['live'], ['test']);

describe.each(modes)('on a %s site, that somebody is referred to a sensitive service', async (mode) => {
  const world = await makeWorld(mode);
  const { site, insider, outsiders } = world;

  it('is read by the referrer, so a leak would be seen', async () => {
    const asked = await askAll(world, insider);
    const telling = asked.filter((each) => nameWords.test(each.text)).map(({ route }) => route);
    const told = ['', '/:id', '/:id/history', '/:id/messages', '/:id/attachments'].map(
      (each) => `/api/referrals${each}`,
    );
    // A test site says only that a message is in its outbox.
    if (mode === 'live') told.push('/api/referrals/:id/deliveries');
    expect(telling).toEqual(expect.arrayContaining(told));
  });

  it('is in no answer to anybody who may not know it', async () => {
    const leaks: string[] = [];
    const opened = new Set<string>();
    for (const outsider of outsiders)
      for (const asked of await askAll(world, outsider)) {
        if (asked.status < 400) opened.add(asked.route);
        expect(asked.status, asked.url).toBeLessThan(500);
        leaks.push(...leaksIn(world, asked).map((leak) => `${outsider.who}: ${leak}`));
      }
    expect(leaks).toEqual([]);
    expect([...opened]).toEqual(expect.arrayContaining(mustBeReached));
  });

  it('is hidden from an operator of its message without a reason', async () => {
    const [api, pages] = outsiders as [Outsider, Outsider];
    const list = async () =>
      (await site.app.inject({ url: '/api/deliveries?kind=unanswered', headers: api.headers })).json().items;
    const row = (await list()).find(({ leg }: { leg: string }) => leg === 'service');
    expect(row).toMatchObject({
      recipient: 'A restricted service',
      worklist: { reason: 'The service has not answered in time.' },
    });
    const read = async () =>
      (await site.app.inject({ url: `/operator/deliveries/${row.id}`, headers: pages.headers })).body;
    expect(parse(await read()).querySelector('title')!.text).toContain(
      'The referral, to a restricted service',
    );
    await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${row.referral.id}/open`,
      headers: api.headers,
      payload: { reason: 'The service asked for help; ticket 12.' },
    });
    const known = (await list()).find(({ id }: { id: string }) => id === row.id);
    expect(known.recipient).toBe('Larkspur House');
    expect(known.worklist.reason).toContain('Larkspur House has not answered');
    expect(parse(await read()).querySelector('title')!.text).toContain('The referral, to Larkspur House');
  });

  it.runIf(mode === 'test')('is in no email to anybody who may not know it', async () => {
    await until(async () => (await listJobs(site.deps.pool, { name: 'send-mail' })).length === 0);
    const mails = await listCapturedMails(site.deps, 'everybody', { before: undefined, limit: 500 });
    const own = [deliveryAddress, ...(await emailsOfPeopleNamed(site.deps.db, 'Larkspur'))];
    const toOthers = mails.filter(({ to }) => !own.includes(to));
    expect(toOthers.length).toBeGreaterThan(0);
    const inWhole = toOthers.map(({ subject, text }) => `${subject}\n${text}`);
    // How the service is set up names it, and nobody who uses it.
    expect(inWhole.filter((mail) => nameWords.test(mail) && world.traces.test(mail))).toEqual([]);
    expect(toOthers.filter(({ subject }) => nameWords.test(subject))).toEqual([]);
  });
});
