import { afterAll, describe, expect, it } from 'vitest';
import { anAccount, aService } from '../../../test/app/builders.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { refusalOf } from '../../../test/people/invitations.ts';
import { makeOperatorFixture } from '../../../test/people/operator-fixture.ts';
import { inviteTeam } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';

const { site, operator } = await makeOperatorFixture();
afterAll(() => site.close());
const { organizationName } = await aService(site.deps);
const other = await anAccount(site.deps, { role: 'operator' });

const path = '/operator/accounts/invite-team';
const head = 'name,email,roles,organisation\n';
const send = (list: string, action = 'check', organisation = '') =>
  operator.send(path, { list, action, organisation });

describe('the invitation of a team', () => {
  it('reports a role that does not exist once', async () => {
    const { text } = await send(`${head}Ann Able,ann@example.org,link worker,${organizationName}\n`);
    expect(text).not.toMatch(/“link”|“worker”/);
    expect(text).toMatch(/“link worker” is not a role. The roles are: .*referrer/);
  });

  it('says first what is wrong with each line, and invites nobody', async () => {
    const list = `${head}
Ann Able,ann@example.org,provider,${organizationName}
,nonsense,boss,${organizationName}
Ann Again,ANN@example.org,referrer,${organizationName}
Olive,olive2@example.org,operator,
Pat Provider,pat@example.org,provider,${organizationName}x
`;
    for (const action of ['check', 'invite']) {
      const { status, text, page } = await send(list, action);
      expect(status).toBe(action === 'check' ? 200 : 422);
      expect(text).toContain('4 of 5 lines must be corrected');
      expect(text).toMatch(/Line 4: .*email address in the right format/);
      expect(text).toContain('“boss” is not a role. The roles are: ');
      expect(text).toContain('Line 3 has this email address too');
      expect(text).toContain('Invite operators one by one');
      expect(text).toMatch(/Line 7: No organisation has exactly the name .* Choose the right one/);
      expect(page.querySelector('button[value=invite]')).toBeNull();
      expect(page.querySelector('textarea')!.text).toContain('pat@example.org');
    }
    expect(await mailsTo(site, 'ann@example.org')).toEqual([]);
  });

  it('invites those who are ready, and keeps lines to correct', async () => {
    const list = `${head}Eva Early,eva@example.org,referrer,${organizationName}\nFay Fault,fay@example.org,wizard,${organizationName}\n`;
    const preview = await send(list);
    const button = preview.page.querySelector('button[value=invite-ready]')!;
    expect(button.text.trim()).toBe('Invite the 1 that is ready');
    const { status, text, page } = await send(list, 'invite-ready');
    expect([status, text.includes('1 invited.')]).toEqual([200, true]);
    expect(text).toContain('1 of 1 lines must be corrected');
    expect(page.querySelector('textarea')!.text).toContain('fay@example.org');
    expect(page.querySelector('textarea')!.text).not.toContain('eva@example.org');
    expect(await mailsTo(site, 'eva@example.org')).toHaveLength(1);
    expect(await mailsTo(site, 'fay@example.org')).toEqual([]);
  });

  it('takes a similar organisation for all lines with one click', async () => {
    const wrong = `${organizationName}x`;
    const list = `${head}Gil,gil@example.org,provider,${wrong}\nHal,hal@example.org,provider,${wrong}\n`;
    const offered = (await send(list)).page.querySelector('button[value^="use:2:"]')!;
    expect([offered.text, offered.getAttribute('form')]).toEqual([
      expect.stringContaining(organizationName),
      'team',
    ]);
    const { text, page } = await send(list, offered.getAttribute('value'));
    expect(text).toContain('2 people can be invited');
    expect(page.querySelector('textarea')!.text).not.toContain(wrong);
    const below = await send(`${head}Ida,ida@example.org,provider,\n`, 'check', wrong);
    const value = below.page.querySelector('button[value^="use:2:"]')!.getAttribute('value');
    expect((await send(`${head}Ida,ida@example.org,provider,\n`, value, wrong)).text).toContain(
      '1 person can be invited',
    );
  });

  it('has an example to download, which reads as a list', async () => {
    const { page } = await operator.open(path);
    const href = page.querySelector('a[download]')!.getAttribute('href')!;
    const { body } = await site.app.inject({ url: href, headers: operator.headers });
    expect((await send(body)).text).toContain('Asha Example');
    // Organisations of the sample are not on a live site.
    expect(body.match(/,([^,\n]+)$/gm)).toEqual([',organisation', ',Example Surgery', ',Example Charity']);
  });

  it('invites everybody of a right list once', async () => {
    const list = 'Email\tName\tRoles\nbo@example.org\tBo\treferrer provider\ncy@example.org\tCy\tmanager\n';
    const preview = await send(list, 'check', organizationName);
    expect(preview.page.querySelector('button[value=invite]')!.text.trim()).toBe('Invite 2 people');
    const { text } = await send(list, 'invite', organizationName);
    expect(text).toContain('2 invited.');
    expect(await mailsTo(site, 'bo@example.org')).toHaveLength(1);
    const told = (await mailsTo(site, other.email)).filter(({ subject }) => /invited 2/.test(subject));
    expect(told.map(({ text }) => text)).toEqual([expect.stringMatching(/Bo, bo@.*\nCy, cy@.* manager/)]);
    expect((await operator.open('/operator/accounts?text=bo@example.org')).text).toContain(organizationName);
    const again = await send(list, 'invite', organizationName);
    expect([again.status, again.text.includes('has an account with this email address already')]).toEqual([
      422,
      true,
    ]);
  });

  it('takes the headings that spreadsheets have', async () => {
    const list = 'Full name,Email address,Role\nEd,ed@example.org,manager\n';
    const { status, text } = await send(list, 'check', organizationName);
    expect([status, text.includes('must be corrected')]).toEqual([200, false]);
    expect(text).toContain('ed@example.org');
  });

  it.each([
    ['', 'The first line must name the columns'],
    ['name,email\nA,a@example.org', 'It lacks: roles'],
    [head, 'Enter at least one person'],
    ['name,email,roles,pay\nA,a@example.org,referrer,1', 'Remove the column “pay”'],
    ['name,email,roles\n"A,a@example.org,referrer', 'a quotation mark is missing'],
    [`${head}${'A,a@example.org,referrer,B\n'.repeat(201)}`, 'Invite at most 200 people'],
  ])('refuses %j as a whole', async (list, words) => {
    const { status, text } = await send(list);
    expect([status, text]).toEqual([422, expect.stringContaining(words)]);
  });

  it('invites nobody if one of them cannot be invited', async () => {
    const team = ['dot@example.org', 'bo@example.org'].map((email) => ({
      name: 'Dot',
      email,
      roles: ['manager' as const],
      hasApiAccess: false,
    }));
    expect(await refusalOf(inviteTeam(site.deps, siteActor, team))).toBe('email-taken');
    expect((await operator.open('/operator/accounts?text=dot@example.org')).text).not.toContain('Dot');
  });

  it('takes a file, and refuses one that is no text', async () => {
    const upload = async (content: Buffer) => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(content)]), 'team.csv');
      const request = new Request('http://localhost', { method: 'POST', body: form });
      const { statusCode, body } = await site.app.inject({
        method: 'POST',
        url: `${path}/file`,
        headers: {
          ...operator.headers,
          'content-type': request.headers.get('content-type')!,
        },
        payload: Buffer.from(await request.arrayBuffer()),
      });
      return [statusCode, body] as const;
    };
    const good = await upload(Buffer.from(`\ufeff${head}Di,di@example.org,referrer,${organizationName}`));
    expect(good).toEqual([200, expect.stringContaining('1 person can be invited')]);
    expect(await upload(Buffer.from([0xff, 0xfe, 0x41]))).toEqual([
      422,
      expect.stringContaining('CSV UTF-8'),
    ]);
    expect((await upload(Buffer.alloc(300 * 1024, 'a')))[0]).toBe(413);
  });
});

describe('the field for an organisation', () => {
  it('suggests the names of the site wherever one is chosen', async () => {
    for (const page of [path, '/operator/accounts/new', '/operator/accounts/new-system'])
      expect((await operator.open(page)).page.querySelector('datalist option'), page).not.toBeNull();
  });
});
