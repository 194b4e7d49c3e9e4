import { isLoopback } from '../addresses/index.ts';
import type { Settings } from '../settings/index.ts';
import { mayCallStranger } from './stranger-call.ts';

const longest = 2000;

/**
 * What is wrong with an address that somebody gives for the site to call, if anything, to be read after its name. A test site takes
 * what a live one takes, which it never calls, and addresses of this computer, which it does.
 */
export function faultOfAddress(text: string, mode: Settings['mode']): string | undefined {
  if (text.length > longest) return `must have at most ${longest} characters`;
  if (!/^[!-~]+$/.test(text) || !URL.canParse(text)) return `must be ${form(mode)}`;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must have no user name or password in it';
  if (url.hash !== '') return 'must have no fragment';
  if (mayCallStranger(url, mode) || mayCallStranger(url, 'live')) return undefined;
  if (isLoopback(url)) return 'may be on this computer only at a test site';
  return url.protocol === 'https:' ? 'must be on the public internet' : `must be ${form(mode)}`;
}

function form(mode: Settings['mode']): string {
  const https = 'an address such as https://client.example.org/told';
  return mode === 'live' ? https : `${https}, or on this computer such as http://localhost:3000/told`;
}
