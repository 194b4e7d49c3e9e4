import type { Definition } from './definition.ts';
import { definitions } from './definitions.ts';
import type { Settings } from './read-settings.ts';

type SettingInForce = {
  variable: string;
  meaning: string;
  /** In words; a secret is only said to be set. */
  value: string;
  /** Whether the environment sets it, even to its default. */
  isSet: boolean;
};

/** Every setting as this process has it, without secrets. */
export function settingsInForce(settings: Settings): SettingInForce[] {
  const all = Object.entries(definitions) as [keyof Settings, Definition<unknown>][];
  return all.map(([key, { variable, meaning, defaultValue, defaultInWords, isSecret }]) => {
    const value = settings[key];
    const isSet = settings.setVariables.has(variable);
    // A default that depends on the mode or on other settings is shown as it came out.
    const isShown = isSet || (value !== undefined && defaultValue === undefined);
    const shown = isSecret ? 'Set (hidden)' : inWords(value);
    return { variable, meaning, isSet, value: isShown ? shown : defaultInWords };
  });
}

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return withoutPassword(value);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return 'Set';
}

/** Addresses of databases and mail servers have passwords in them. */
function withoutPassword(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return 'Set (hidden)';
  const name = url.username === '' && url.password === '' ? '' : '(hidden)@';
  return `${url.protocol}//${name}${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}
