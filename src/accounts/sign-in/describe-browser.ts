const maxLength = 500;
const browsers = ['Chrome', 'Edge', 'Firefox', 'Internet Explorer', 'Opera', 'Safari', 'Samsung Internet'];
const systems = ['Android', 'Chrome OS', 'iOS', 'Linux', 'macOS', 'Windows'];
const names: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
  'Internet Explorer Mobile': 'Internet Explorer',
};

/**
 * Describes a browser by its user agent, such as “Chrome on Windows”, so that people recognise their own. The result
 * contains only words from this file, so a forged user agent cannot add its own. Undefined for an unknown browser.
 */
export async function describeBrowser(userAgent: string | undefined): Promise<string | undefined> {
  if (userAgent === undefined || userAgent === '' || userAgent.length > maxLength) return undefined;
  // Loaded when the first person signs in, so that the site starts faster.
  const { default: bowser } = await import('bowser');
  const { browser, os } = bowser.parse(userAgent);
  const name = names[browser.name ?? ''] ?? browser.name;
  const known = browsers.find((each) => each === name);
  const system = systems.find((each) => each === os.name);
  if (known !== undefined) return system === undefined ? known : `${known} on ${system}`;
  return system && `A browser on ${system}`;
}
