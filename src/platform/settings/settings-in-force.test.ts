import { describe, expect, it } from 'vitest';
import { definitions } from './definitions.ts';
import { readSettings, type Settings } from './read-settings.ts';
import { settingsInForce } from './settings-in-force.ts';

describe('the settings in force', () => {
  it('are shown without passwords, keys and tokens', () => {
    const shown = inForce(
      readSettings({
        ONWARD_DATA_DIR: '/tmp/onward',
        ONWARD_SMTP_URL: 'smtps://desk:hidden-word@mail.example.org',
        ONWARD_MAIL_FROM: 'desk@example.org',
        ONWARD_PORT: '8090',
        ONWARD_METRICS_TOKEN_FILE: import.meta.filename,
      }),
    );
    const shownFor = (name: string) => shown.find(({ variable }) => variable === name)?.value;
    expect(shownFor('ONWARD_SMTP_URL')).toBe('smtps://(hidden)@mail.example.org');
    expect(shownFor('ONWARD_PORT')).toBe('8090');
    expect(shownFor('ONWARD_METRICS_TOKEN_FILE')).toBe('Set (hidden)');
    // Everybody who may search sees the map.
    const isHidden = ({ variable }: { variable: string }) =>
      /(_FILE|TOKEN|SECRET|PASSWORD|_KEY)$/.test(variable) && variable !== 'ONWARD_MAP_FILE';
    const named = Object.values(definitions).filter(isHidden);
    expect(
      named.filter(({ isSecret }) => !isSecret),
      'a setting named like a secret',
    ).toEqual([]);
    expect(JSON.stringify(shown)).not.toContain('hidden-word');
  });

  it('are set if the environment has them, whatever their default', () => {
    const shown = inForce(readSettings({ ONWARD_PORT: '8080', ONWARD_MAIL_FROM: '' }));
    const shownFor = (name: string) => shown.find(({ variable }) => variable === name);
    expect(shownFor('ONWARD_PORT')).toMatchObject({ isSet: true, value: '8080' });
    expect(shownFor('ONWARD_MODE')).toMatchObject({ isSet: false, value: 'test' });
    expect(shownFor('ONWARD_BASE_URL')).toMatchObject({ isSet: false, value: 'http://localhost:8080' });
    expect(shownFor('ONWARD_SITE_NAME')?.isSet).toBe(false);
    expect(shownFor('ONWARD_MAIL_FROM')?.isSet).toBe(false);
  });

  it('are changed only if they differ from the default', () => {
    const shown = inForce(
      readSettings({ ONWARD_PORT: '8080', ONWARD_HOST: '0.0.0.0', ONWARD_ANSWER_BY_LINK: 'true' }),
    );
    const isChanged = (name: string) => shown.find(({ variable }) => variable === name)?.isChanged;
    expect(isChanged('ONWARD_HOST')).toBe(true);
    expect(isChanged('ONWARD_PORT'), 'set to its default').toBe(false);
    expect(isChanged('ONWARD_ANSWER_BY_LINK'), 'the default of a test site').toBe(false);
    expect(isChanged('ONWARD_SITE_NAME'), 'not set').toBe(false);
  });

  it('are all there, each under one heading', () => {
    const shown = inForce(readSettings({})).map(({ variable }) => variable);
    const all = Object.values(definitions).map(({ variable }) => variable);
    expect(shown.toSorted()).toEqual(all.toSorted());
  });
});

function inForce(settings: Settings) {
  return settingsInForce(settings).flatMap((group) => group.settings);
}
