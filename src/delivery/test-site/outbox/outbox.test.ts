import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../../test/app/manual-clock.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { testDatabase } from '../../../../test/database/test-database.ts';
import { storePractice } from '../../../../test/delivery/receivers.ts';
import { capturedMessages, storedDeliveries } from '../../../../test/delivery/stored.ts';
import { storeReferral, tellOfChange, testPlatform } from '../../../../test/delivery/test-site.ts';
import type { Caller } from '../../../accounts/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { createPages, emptyFrame } from '../../../platform/html/index.ts';
import { type App, createApp, installAccess } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { canSee, type Referral } from '../../../referrals/index.ts';
import { scopes } from '../../../tokens/index.ts';
import type { DeliveryDeps } from '../../channels/deps.ts';
import { deliver, deliveryRoutes, outboxPages } from '../../index.ts';
import { listDeliveriesOf } from '../../model/deliveries-store.ts';
import { deliverNew } from '../../send/deliver-new.ts';

// An app with only the routes of delivery. Each test says who the caller is.

const clock = manualClock();
let database: Database;
let app: App;
let deps: DeliveryDeps;
let referral: Referral;

const someone = (given: Partial<Caller>): Caller => ({
  accountId: newId(),
  name: 'Test Person',
  email: 'person@example.org',
  formerNames: [],
  formerEmails: [],
  jobTitle: null,
  telephone: null,
  roles: ['referrer'],
  organisation: null,
  hasApiAccess: true,
  isSystem: false,
  via: 'session',
  ...given,
});
const organisation = (given: object) => ({
  id: newId(),
  name: 'Somewhere',
  odsCode: null,
  libraryOrganizationId: null,
  ...given,
});
const callers: Record<string, Caller> = {
  operator: someone({ roles: ['operator'] }),
  stranger: someone({}),
  provider: someone({
    roles: ['provider'],
    organisation: organisation({ libraryOrganizationId: 'arts-trust' }),
  }),
  'another provider': someone({
    roles: ['provider'],
    organisation: organisation({ libraryOrganizationId: 'weir-house' }),
  }),
  'a referrer there': someone({
    organisation: organisation({ libraryOrganizationId: 'arts-trust' }),
  }),
};

beforeAll(async () => {
  database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'onward-outbox-'));
  deps = testPlatform('test', { db: database.db, clock, dataDir });
  referral = await storeReferral(database.pool);
  callers.referrer = someone({ accountId: referral.referrerAccountId });
  await tellOfChange(deps, referral, null);
  for (const { id } of await listDeliveriesOf(deps.db, referral.id)) {
    await deliver(deps, { delivery_id: id });
    clock.moveOn(1000);
  }
  const pages = createPages(deps.settings, emptyFrame);
  app = createApp({ ...deps, errorPage: pages.sendError });
  const verify = (request: { headers: Record<string, unknown> }) =>
    callers[String(request.headers['x-test-caller'])];
  installAccess(
    app,
    { token: verify, session: verify, visitor: verify, reader: verify },
    {
      scopes,
      signInPath: '/signin',
      secondFactorPath: '/set-up',
      hasSignedInRecently: () => true,
      auditWrongRole: () => undefined,
      returnUnsentForm: async (request, reply) => pages.answerWithForm(request, reply, undefined),
      openKeptForm: () => undefined,
      storeUnsentForm: async () => ({ id: '', notKept: undefined }),
      findUnsentForm: async () => undefined,
      deleteUnsentForm: async () => undefined,
    },
  );
  deliveryRoutes(app, deps);
  outboxPages(app, { ...deps, pages, notices: undefined as never });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const get = (url: string, caller: string) => app.inject({ url, headers: { 'x-test-caller': caller } });

async function messageLinks(caller: string): Promise<string[]> {
  const { payload } = await get('/outbox', caller);
  return [...payload.matchAll(/href="(\/outbox\/[0-9a-f-]{36})"/g)].map((match) => match[1]!);
}

describe('the outbox', () => {
  it('lists messages, newest first, with links to their referrals', async () => {
    const { statusCode, payload } = await get('/outbox', 'provider');
    expect(statusCode).toBe(200);
    expect(payload).toContain('captured, not sent');
    expect(payload).toContain(`<a href="/referrals/${referral.id}">${referral.reference}</a>`);
    expect(payload.indexOf('Mill Lane Surgery')).toBeLessThan(payload.indexOf('Sarrowby Community Choir'));
    expect(await messageLinks('provider')).toHaveLength(2);
    expect(payload).not.toContain('Żółkiewska');
  });

  it('says what to expect while it is empty', async () => {
    expect((await get('/outbox', 'stranger')).payload).toContain('There is nothing in the outbox yet');
  });

  it('shows a message as it would have gone', async () => {
    const [link] = await messageLinks('referrer');
    const { payload } = await get(link!, 'referrer');
    const text = [
      `Copy of referral ${referral.reference} – a code to file, no other action was recorded`,
      'Captured, not sent.',
      'Mill Lane Surgery',
      'TEST – not a real patient.',
      `${link}/letter.pdf`,
    ];
    for (const each of text) expect(payload).toContain(each);
    expect(payload).not.toContain('Żółkiewska');
  });

  it('offers the letter as a download, never inside a page', async () => {
    const [link] = await messageLinks('referrer');
    const { headers, rawPayload } = await get(`${link}/letter.pdf`, 'referrer');
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="letter-${referral.reference}.pdf"`,
      'x-content-type-options': 'nosniff',
    });
    expect(rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('audits the reading of a message', async () => {
    const read = await storedEntries(deps.db, { action: 'captured_message.read' });
    expect(new Set(read.map(({ actor_id }) => actor_id))).toEqual(new Set([callers.referrer!.accountId]));
    expect(new Set(read.map(({ subject_id }) => subject_id))).toEqual(new Set([referral.id]));
  });

  it('shows a message only to those who may see its referral', async () => {
    const [link] = await messageLinks('operator');
    for (const [name, caller] of Object.entries(callers)) {
      const may = canSee(caller, referral);
      expect((await get('/outbox', name)).payload.includes(referral.reference), name).toBe(may);
      for (const url of [link!, `${link}/letter.pdf`])
        expect((await get(url, name)).statusCode, name).toBe(may ? 200 : 404);
    }
  });

  it('answers 404 for a message that does not exist', async () => {
    for (const url of [`/outbox/${newId()}`, '/outbox/nonsense', `/outbox/${newId()}/letter.pdf`]) {
      const { statusCode, headers } = await get(url, 'operator');
      expect(statusCode).toBe(404);
      expect(headers['content-type']).toContain('text/html');
    }
    expect((await get('/outbox?before=nonsense', 'operator')).statusCode).toBe(400);
  });

  it('shows the address, headers, body and files of a message', async () => {
    const onMesh = { odsCode: 'Z99055', name: 'Weir Surgery', channels: ['mesh'] };
    const other = await storeReferral(database.pool, await storePractice(deps.db, onMesh));
    await tellOfChange(deps, other, null);
    const copy = (await listDeliveriesOf(deps.db, other.id)).find(({ leg }) => leg === 'gp_practice')!;
    await deliver(deps, { delivery_id: copy.id });
    const [link] = await messageLinks('operator');
    const { payload } = await get(link!, 'operator');
    for (const each of [
      'GPPROVIDER_9990000018_19470309',
      'mex-workflowid',
      'GPCONNECT_SEND_DOCUMENT',
      'message.xml',
    ])
      expect(payload).toContain(each);
    expect((await get(`${link}/message.xml`, 'operator')).payload).toContain('<MessageHeader>');
  });

  it('has pages of 25 messages', async () => {
    // Each is told to a service and a practice.
    for (let made = 0; made < 13; made += 1)
      await tellOfChange(deps, await storeReferral(database.pool), null);
    const queued = await storedDeliveries(deps.db);
    await deliverNew(deps, { delivery_ids: queued.map(({ id }) => id) });
    const messages = await capturedMessages(deps.db);
    const first = await get('/outbox', 'operator');
    const older = /href="(\/outbox\?before=[^"]+)"/.exec(first.payload)![1]!;
    const second = await get(older, 'operator');
    const rows = (payload: string) => payload.match(/<tr role="row" class="nhsuk-table__row">/g)!.length;
    expect([rows(first.payload), rows(second.payload)]).toEqual([25, messages.length - 25]);
    expect(second.payload).not.toContain('?before=');
  });

  it('has the same deliveries as the API', async () => {
    const { statusCode, payload } = await get(`/api/referrals/${referral.id}/deliveries`, 'referrer');
    expect(statusCode).toBe(200);
    const { items, next_cursor } = JSON.parse(payload);
    expect(next_cursor).toBeNull();
    expect(items).toEqual([
      {
        id: expect.any(String),
        leg: 'service',
        purpose: 'referral',
        channel: 'inbox',
        status: 'received',
        detail: null,
        refused_because: null,
        simulated: true,
        superseded: false,
        attempts: [
          {
            at: '2026-11-21T09:30:00.000Z',
            outcome: 'received',
            detail: 'Captured on /outbox, not sent: this is a test site.',
          },
        ],
        created_at: '2026-11-21T09:30:00.000Z',
        updated_at: '2026-11-21T09:30:00.000Z',
      },
      expect.objectContaining({ leg: 'gp_practice', channel: 'document', status: 'sent' }),
    ]);
  });

  it.each(['stranger', 'another provider'])('hides the deliveries of a referral from %s', async (caller) => {
    for (const id of [referral.id, newId(), 'nonsense'])
      expect((await get(`/api/referrals/${id}/deliveries`, caller)).statusCode).toBe(404);
  });
});
