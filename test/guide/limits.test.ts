import { maxHeaderSize } from 'node:http';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxOpenRequests } from '../../src/developers/requests/developer-request.ts';
import { maxCalls, maxSeconds, maxTroubles } from '../../src/developers/troubles/trouble.ts';
import { maxLists } from '../../src/library/saved-lists/lists.ts';
import { maxServicesOnList } from '../../src/library/saved-lists/saved-services.ts';
import { readSettings } from '../../src/platform/settings/index.ts';
import { maxFileBytes, maxFiles, maxReferralBytes } from '../../src/referrals/conversation/attach-file.ts';
import { perPageIfMinimal } from '../../src/search/query/read-request.ts';
import { accessTokenLifetimeMs } from '../../src/tokens/model/access-tokens.ts';
import { maxKeys } from '../../src/tokens/named-keys/named-keys.ts';
import { idleDays, maxNetworks } from '../../src/tokens/refresh-tokens/refresh-token-limits.ts';
import { retentionMs } from '../../src/webhooks/events/delete-old-events.ts';
import { maxEvents } from '../../src/webhooks/manage/test-and-replay.ts';
import { maxWebhooks, previousSecretValidForMs, retryForMs } from '../../src/webhooks/model/webhook.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const [minute, hour, day, megabyte] = [60_000, 3_600_000, 86_400_000, 1024 * 1024];
const inWords = (count: number) => count.toLocaleString('en-GB');

describe('the guide’s limits', () => {
  it('are those of the API document and of the code, each of them', async () => {
    const rows = parse((await site.app.inject('/guide/limits')).body)
      .querySelectorAll('tbody tr')
      .map((row) => row.querySelectorAll('td').map(({ text }) => text.trim()));
    const { paths, components } = (await site.app.inject('/api/openapi.json')).json();
    const { schemas } = components;
    type Parameter = { $ref?: string; name: string };
    const resolved = (each: Parameter) => components.parameters[each.$ref?.split('/').at(-1) ?? ''] ?? each;
    const parameter = (path: string, name: string, method = 'get') =>
      paths[path][method].parameters.map(resolved).find((each: Parameter) => each.name === name).schema;
    const page = (path: string, name = 'limit') => `at most ${parameter(path, name).maximum}`;

    const settings = readSettings({});
    const [ofAccount, ofNetwork] = [settings.callsPerMinuteOfAccount, settings.callsPerMinuteOfNetwork].map(
      inWords,
    );

    const expected: readonly (readonly [string, readonly string[]])[] = [
      ['calls of one account', [`${ofAccount} on a test site`]],
      ['calls from one network', [`${ofNetwork} on a test site`]],
      ['size of a JSON body', ['1 MB', '50 deep']],
      ['all headers of a call', [`${maxHeaderSize / 1024} KB`]],
      [
        'entries on a page of the library',
        [page('/api/library/services', 'per_page'), inWords(perPageIfMinimal)],
      ],
      [
        'items on a page of another list',
        [page('/api/referrals'), page('/api/webhooks'), page('/api/deliveries')],
      ],
      ['events on a page', [page('/api/events')]],
      ['saved lists on a page', [page('/api/library/lists'), page('/api/library/lists/{id}/services')]],
      ['referrals on a page of the simulator', [page('/api/simulator')]],
      ['names in one filter', [String(parameter('/api/referrals', 'status').maxItems)]],
      ['an access token works', [`${accessTokenLifetimeMs / minute} minutes`]],
      ['a refresh token works', [`${idleDays.min} to ${idleDays.max}`]],
      ['named keys of one account', [String(maxKeys)]],
      ['IP addresses or networks', [String(maxNetworks)]],
      ['the old refresh token', ['24 hours']],
      ['requests of one account', [String(maxOpenRequests)]],
      [
        'an Idempotency-Key',
        [`${parameter('/api/referrals', 'idempotency-key', 'post').maxLength} characters`],
      ],
      ['a long text', [`${inWords(schemas.NewMessage.properties.text.maxLength)} characters`]],
      ['a name, and other short texts', [`${schemas.Patient.properties.family_name.maxLength} characters`]],
      ['the words of the agreement', [`${inWords(schemas.Consent.properties.wording.maxLength)} characters`]],
      ['reasons', [String(schemas.NewReferral.properties.reasons.maxItems)]],
      [
        'tasks for the GP practice',
        [
          String(schemas.NewReferral.properties.gp_actions.maxItems),
          inWords(schemas.NewGpAction.properties.text.maxLength),
        ],
      ],
      ['an attachment', [`${maxFileBytes / megabyte} MB`]],
      ['attachments of one referral', [String(maxFiles), `${maxReferralBytes / megabyte} MB`]],
      ['made_at', [`${settings.paperDays} days`]],
      ['expected_date', ['a year']],
      ['events are kept', [`${retentionMs / day} days`]],
      ['events that one replay', [inWords(maxEvents)]],
      ['webhooks of one account', [String(maxWebhooks)]],
      ['types of event that one webhook', [String(schemas.NewWebhook.properties.event_types.maxItems)]],
      ['your answer to a webhook', ['10 seconds']],
      ['an event is sent again', [`${retryForMs / day} days`, '8 hours']],
      ['Retry-After in your answer', ['a day']],
      ['attempts are listed', ['30 days']],
      ['both secrets sign', [`${previousSecretValidForMs / hour} hours`]],
      ['a search', [String(parameter('/api/library/services', 'search').maxLength)]],
      ['terms in one filter', [String(parameter('/api/library/services', 'taxonomy_term_id').maxItems)]],
      ['saved lists of one organisation', [String(maxLists)]],
      ['services on one saved list', [String(maxServicesOnList)]],
      ['troubles that wait', [`${maxTroubles}, each for up to ${inWords(maxCalls)} calls`]],
      ['retry_after of a trouble', [`${maxSeconds} seconds`]],
    ];
    for (const [start, values] of expected) {
      const row = rows.find(([what = '']) => what.startsWith(start));
      expect(row?.[0], start).toBeDefined();
      for (const value of values) expect(row![1], start).toContain(value);
    }
    const unchecked = rows.filter(([what = '']) => !expected.some(([start]) => what.startsWith(start)));
    expect(unchecked).toEqual([]);
  });
});
