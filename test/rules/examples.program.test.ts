import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient, sampleKeys } from '../people/api-client.ts';
import { readySite } from '../process/ready-site.ts';
import type { SiteProcess } from '../process/site-process.ts';

// What the reference shows under “Try it out” works unchanged on a fresh test site.

let site: SiteProcess;
let document: any;
beforeAll(async () => {
  site = await readySite();
  document = await (await fetch(`${site.baseUrl}/api/openapi.json`)).json();
});
afterAll(() => site.remove());

async function clientOf(who: keyof SiteProcess['logins']) {
  return apiClient(site.baseUrl, (await sampleKeys(site, who)).access);
}

/** The example of a call's body that Swagger UI fills in. */
function exampleOf(path: string): any {
  return document.paths[path].post.requestBody.content['application/json'].example;
}

describe('the reference', () => {
  it('is OpenAPI 3.1, with an example for each body that needs one', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const [path, methods] of Object.entries<any>(document.paths)) {
      const { $ref } = methods.post?.requestBody?.content['application/json']?.schema ?? {};
      const required = document.components.schemas[$ref?.split('/').at(-1)]?.required ?? [];
      const example = required.length > 0 ? exampleOf(path) : {};
      for (const name of required) expect(example, path).toHaveProperty(name);
    }
  });

  it('fills in parameters that every list accepts', async () => {
    const operator = await clientOf('operator');
    const lists = Object.entries<any>(document.paths).filter(([path, { get }]) => get && !path.includes('{'));
    expect(lists.map(([path]) => path)).toContain('/api/library/service_at_locations');
    for (const [path, { get }] of lists) {
      const query = new URLSearchParams();
      for (const each of get.parameters ?? []) {
        const shared = document.components.parameters[each.$ref?.split('/').at(-1)];
        const { in: where, name, example, schema } = shared ?? each;
        const value = example ?? schema.default;
        if (where === 'query') for (const each of [value ?? []].flat()) query.append(name, each);
      }
      expect([path, (await operator.get(`${path}?${query}`)).status]).toEqual([path, 200]);
    }
  });
});

describe('the examples of the reference', () => {
  it('make a referral, accept and complete it, and reject another', async () => {
    const referrer = await clientOf('referrer');
    const provider = await clientOf('provider');
    const made = await referrer.post('/api/referrals', exampleOf('/api/referrals'));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const act = (id: string, action: string, version: number) =>
      provider.post(`/api/referrals/${id}/${action}`, exampleOf(`/api/referrals/{id}/${action}`), {
        'if-match': `"${version}"`,
      });
    expect((await act(made.body.id, 'accept', 1)).body.status).toBe('accepted');
    expect((await act(made.body.id, 'complete', 2)).body.status).toBe('completed');

    const another = await referrer.post('/api/referrals', exampleOf('/api/referrals'));
    expect((await act(another.body.id, 'reject', 1)).body).toMatchObject({
      status: 'rejected',
      status_reason: { code: 'no-capacity' },
    });
  });

  it('restrict a referral, lift that, pack a copy and erase it', async () => {
    const referrer = await clientOf('referrer');
    const operator = await clientOf('operator');
    const person = exampleOf('/api/patients/export');
    const example = exampleOf('/api/referrals');
    const patient = { ...example.patient, nhs_number: person.nhs_number };
    const made = await referrer.post('/api/referrals', { ...example, patient, allow_duplicate: true });
    const { id } = made.body;
    const act = async (action: string) => {
      const { status, body } = await operator.post(
        `/api/referrals/${id}/${action}`,
        exampleOf(`/api/referrals/{id}/${action}`),
      );
      return [status, body.restricted, body.erased_at !== null];
    };
    expect(await act('restrict')).toEqual([200, true, false]);
    expect(await act('unrestrict')).toEqual([200, false, false]);
    const packed = await operator.post('/api/patients/export', person);
    expect([packed.status, packed.body.status]).toEqual([201, 'to_review']);
    const withdrawal = exampleOf('/api/referrals/{id}/withdraw-as-error');
    const ended = await referrer.post(`/api/referrals/${id}/withdraw-as-error`, withdrawal, {
      'if-match': made.headers.get('etag')!,
    });
    expect(ended.status, JSON.stringify(ended.body)).toBe(200);
    // Until the job has sent its letters, they are owed to somebody, and the erasure is refused.
    await expect.poll(() => act('erase')).toEqual([200, false, true]);
  });

  it('add a webhook and send its events again', async () => {
    const referrer = await clientOf('referrer');
    const added = await referrer.post('/api/webhooks', exampleOf('/api/webhooks'));
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    const replay = exampleOf('/api/webhooks/{id}/replay');
    const replayed = await referrer.post(`/api/webhooks/${added.body.id}/replay`, replay);
    expect([replayed.status, replayed.body]).toEqual([202, { queued: 0, next_after: null }]);
    const [event] = (await referrer.get('/api/events')).body.items;
    expect((await referrer.post(`/api/webhooks/${added.body.id}/replay`, { after: event.id })).status).toBe(
      202,
    );
  });
});

describe('the README’s first referral', () => {
  it('is the example of the reference', async () => {
    const file = join(import.meta.dirname, '..', '..', 'sample', 'first-referral.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(exampleOf('/api/referrals'));
  });
});
