import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxCalls, maxTroubles } from '../../src/developers/troubles/trouble.ts';
import { maxLists } from '../../src/library/lists/lists.ts';
import { maxFileBytes } from '../../src/referrals/conversation/attachments.ts';
import { maxWebhooks, retryForMs } from '../../src/webhooks/model/webhook.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

describe('the guide’s limits', () => {
  it('are those of the API document and of the code', async () => {
    const rows = parse((await site.app.inject('/guide/limits')).body)
      .querySelectorAll('tbody tr')
      .map(({ text }) => text);
    const hasRow = (start: string, value: string) =>
      expect(
        rows.some((row) => row.trim().startsWith(start) && row.includes(value)),
        `${start}: ${value}`,
      ).toBe(true);
    const { paths, components } = (await site.app.inject('/api/openapi.json')).json();
    type Parameter = { $ref?: string; name: string };
    const resolved = (each: Parameter) => components.parameters[each.$ref?.split('/').at(-1) ?? ''] ?? each;
    const parameter = (path: string, name: string) =>
      paths[path].get.parameters.map(resolved).find((each: Parameter) => each.name === name).schema;
    hasRow(
      'entries on a page of the library',
      String(parameter('/api/library/services', 'per_page').maximum),
    );
    hasRow('items on a page of another list', String(parameter('/api/referrals', 'limit').maximum));
    hasRow('items on a page of another list', `events ${parameter('/api/events', 'limit').maximum}`);
    hasRow('a search', String(parameter('/api/library/services', 'search').maxLength));
    hasRow('terms in one filter', String(parameter('/api/library/services', 'taxonomy_term_id').maxItems));
    hasRow('webhooks of one account', String(maxWebhooks));
    hasRow('saved lists of one organisation', String(maxLists));
    hasRow('an attachment', `${maxFileBytes / 1024 / 1024} MB`);
    hasRow('an event is sent again', `${retryForMs / 86_400_000} days`);
    hasRow(
      'troubles that wait for one account',
      `${maxTroubles}, each for up to ${maxCalls.toLocaleString('en-GB')} calls`,
    );
  });
});
