import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { liveEnv } from '../../../test/process/live-env.ts';
import { readSettings } from './index.ts';

describe('the settings', () => {
  it('default to a test site on this machine', () => {
    expect(readSettings({})).toMatchObject({
      mode: 'test',
      baseUrl: 'http://localhost:8080',
      host: '127.0.0.1',
      siteName: 'Onward test site',
    });
    expect(readSettings({ ONWARD_PORT: '9000' }).baseUrl).toBe('http://localhost:9000');
  });

  it('stop the start if one is misspelt, and say what was meant', () => {
    expect(() => readSettings({ ONWARD_PROT: '9000' })).toThrow(
      /ONWARD_PROT is not a setting.*Did you mean ONWARD_PORT\? For example: ONWARD_PORT=8081/,
    );
  });

  it.each([
    ['ONWARD_PORT', '99999'],
    ['ONWARD_PORT', 'eighty'],
    ['ONWARD_MODE', 'production'],
    ['ONWARD_BASE_URL', 'referrals.example.org'],
    ['ONWARD_BASE_URL', 'https://example.org/path'],
    ['ONWARD_BASE_URL', 'https://user@example.org'],
    ['ONWARD_DATABASE_URL', 'mysql://x'],
    ['ONWARD_SMTP_URL', 'smtps://onward:50%off@mail.example.org'],
    ['ONWARD_SAMPLE', 'yes'],
    ['ONWARD_TRUSTED_PROXIES', '10.0.0.0/99'],
    ['ONWARD_EXTRA_BANK_HOLIDAYS', '2027-02-30'],
    ['ONWARD_EXTRA_BANK_HOLIDAYS', '2027-05-10, 10/05/2028'],
    ['ONWARD_EXTRA_BANK_HOLIDAYS', '2027-05-10,'],
  ])('%s=%s is refused with its name, the reason and an example', (variable, value) => {
    expect(() => readSettings({ [variable]: value })).toThrow(
      new RegExp(`${variable} .*For example: ${variable}=`),
    );
  });

  it('refuse a reminder that comes after the rejection', () => {
    const days = (remind: string, reject: string) =>
      readSettings({ ONWARD_REMIND_AFTER_DAYS: remind, ONWARD_REJECT_AFTER_DAYS: reject });
    expect(days('7', '28')).toMatchObject({ remindAfterDays: 7, rejectAfterDays: 28 });
    for (const reject of ['3', '7'])
      expect(() => days('7', reject)).toThrow(/^ONWARD_REMIND_AFTER_DAYS must be less .*For example: .*=28$/);
  });

  it('refuse a reason against second factors if all must have one', () => {
    const variable = 'ONWARD_SECOND_FACTORS_NOT_REQUIRED_BECAUSE';
    const because = { [variable]: 'The council’s VPN asks for two factors' };
    expect(readSettings({ ...because, ONWARD_SECOND_FACTOR: 'operators' })).toMatchObject({
      noSecondFactorBecause: because[variable],
    });
    expect(() => readSettings({ ...because, ONWARD_SECOND_FACTOR: 'everybody' })).toThrow(
      /^ONWARD_SECOND_FACTORS_NOT_REQUIRED_BECAUSE must be unset .*For example/,
    );
    expect(() => readSettings({ [variable]: 'none' })).toThrow(variable);
  });

  it('report everything that is wrong at once', () => {
    expect(() => readSettings({ ONWARD_PORT: 'x', ONWARD_MODE: 'y' })).toThrow(/ONWARD_MODE.*ONWARD_PORT/s);
    expect(() =>
      readSettings({ ONWARD_MODE: 'live', ONWARD_SITE_NAME: 'x'.repeat(81), ONWARD_SAMPLE: 'true' }),
    ).toThrow(/^ONWARD_SITE_NAME must have 1 to 80.*\nONWARD_BASE_URL must be set.*ONWARD_SAMPLE=false$/s);
  });
});

describe('a live site', () => {
  it('must name who answers for it, and have https', () => {
    expect(readSettings(liveEnv)).toMatchObject({ mode: 'live' });
    for (const variable of Object.keys(liveEnv).slice(1)) {
      expect(() => readSettings({ ...liveEnv, [variable]: undefined })).toThrow(
        new RegExp(`${variable} must be set`),
      );
    }
    const officers = [
      'ONWARD_CALDICOTT_GUARDIAN',
      'ONWARD_DATA_PROTECTION_OFFICER',
      'ONWARD_SAFEGUARDING_CONTACT',
    ];
    expect(Object.keys(liveEnv)).toEqual(expect.arrayContaining(officers));
    expect(() => readSettings({ ...liveEnv, ONWARD_SITE_NAME: undefined })).toThrow(
      'For example: ONWARD_SITE_NAME="Herefordshire community referrals"',
    );
    expect(() => readSettings({ ...liveEnv, ONWARD_BASE_URL: 'http://referrals.example.org' })).toThrow(
      /https/,
    );
    expect(() => readSettings({ ...liveEnv, ONWARD_DATABASE_URL: 'postgres://a@b/c' })).toThrow(
      /ONWARD_SITE_KEY_FILE/,
    );
  });
});

describe('a live site’s database', () => {
  const live = (url: string) =>
    readSettings({ ...liveEnv, ONWARD_SITE_KEY_FILE: '/etc/onward/site.key', ONWARD_DATABASE_URL: url });

  it.each([
    'postgres://onward@127.0.0.1/onward',
    'postgres://onward@localhost:5432/onward?sslmode=disable',
    'postgres://onward@[::1]/onward',
    'postgres://onward@localhost/onward?host=/var/run/postgresql',
    'postgres://onward@%2Fvar%2Frun%2Fpostgresql/onward',
    'postgres://onward@localhost/onward?hostaddr=127.0.0.1',
    'postgres://onward@a.example.org,b.example.org/onward?sslmode=verify-full',
    'postgres://onward@db.example.org/onward?sslmode=verify-full',
    'postgres://onward@db.example.org/onward?sslmode=verify-full&sslrootcert=/etc/onward/ca.pem',
  ])('may be %s', (url) => {
    expect(live(url).databaseUrl).toBe(url);
  });

  it.each([
    'postgres://onward@db.example.org/onward',
    'postgres://onward@10.0.0.5/onward',
    'postgres://onward@[fd00::5]/onward',
    'postgres://onward@db.example.org/onward?sslmode=require',
    'postgres://onward@db.example.org/onward?sslmode=no-verify',
    'postgres://onward@db.example.org/onward?ssl=true',
    'postgres://onward@db.example.org/onward?sslmode=verify-full&sslmode=disable',
    'postgres://onward@localhost/onward?host=db.example.org',
    'postgres://onward@localhost.example.org/onward',
    'postgres://onward@localhost/onward?hostaddr=10.0.0.5',
    'postgres://onward@localhost/onward?host=/var/run/postgresql&hostaddr=10.0.0.5',
    'postgres://onward@localhost,db.example.org/onward',
    'postgres://onward@db.example.org,localhost/onward',
    'postgres://onward@localhost%2Cdb.example.org/onward',
    'postgres://onward@localhost/onward?host=localhost,db.example.org',
    'postgres://onward@localhost/onward?host=/var/run/postgresql,db.example.org',
    'postgres://onward@localhost/onward?host=localhost&host=db.example.org',
    'postgres://onward@localhost/onward?host=db.example.org@localhost',
    'postgres://onward@localhost/onward?host=localhost%23.example.org',
    'postgres://onward@localhost/onward?host=',
    'postgres:///onward',
  ])('may not be %s, which others could read on the way', (url) => {
    expect(() => live(url)).toThrow(/ONWARD_DATABASE_URL must have sslmode=verify-full .*For example: /);
  });

  it('may be anywhere for a test site', () => {
    const url = 'postgres://onward@db.example.org/onward';
    expect(readSettings({ ONWARD_DATABASE_URL: url }).databaseUrl).toBe(url);
  });
});

describe('the settings in docs/operating.md', () => {
  const guide = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'operating.md'), 'utf8');

  it('are all that a live site needs', () => {
    const [, list = ''] = /A live site does not start without ([^.]+)\./.exec(guide) ?? [];
    const said = list.split(/,\s|\sand\s/).map((each) => each.replace(/\s+/g, ' ').replace(/^an? /, ''));
    const inWords: Record<string, string> = { SITE_NAME: 'name', BASE_URL: 'address with https' };
    const required = whyNotLive()
      .matchAll(/^ONWARD_(\w+) must be set on a live site\./gm)
      .map(([, name]) => inWords[name!] ?? name!.toLowerCase().replaceAll('_', ' '));
    expect(said.map((each) => each.toLowerCase()).toSorted()).toEqual([...required].toSorted());
  });

  it('are read by a shell as by systemd', () => {
    const [, lines = ''] = /```sh\n(ONWARD_MODE=live\n[^`]+)```/.exec(guide) ?? [];
    const bySystemd = lines.split('\n').flatMap((line) => {
      const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value.replace(/^"(.*)"$/, '$1')]];
    });
    const byShell = execFileSync('sh', ['-c', `set -ae\n${lines}\nenv`], { encoding: 'utf8', env: {} })
      .split('\n')
      .filter((line) => line.startsWith('ONWARD_'))
      .map((line) => line.split(/=(.*)/s, 2));
    expect(Object.fromEntries(byShell)).toEqual(Object.fromEntries(bySystemd));
    expect(readSettings(Object.fromEntries(byShell))).toMatchObject({
      mode: 'live',
      siteName: 'Herefordshire community referrals',
    });
  });
});

/** What the site says if it has no setting but its mode. */
function whyNotLive(): string {
  try {
    readSettings({ ONWARD_MODE: 'live' });
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
