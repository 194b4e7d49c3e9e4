const maxLength = 500;
const browsers = ['Chrome', 'Edge', 'Firefox', 'Internet Explorer', 'Opera', 'Safari', 'Samsung Internet'];
const systems = ['Android', 'Chrome OS', 'iOS', 'Linux', 'macOS', 'Windows'];
const names: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
  'Internet Explorer Mobile': 'Internet Explorer',
};

/**
 * A browser by what it says of itself, such as “Chrome on Windows”: enough for somebody to know their own. Only words of
 * this file come out, whatever was sent. Undefined where it is none that people use.
 */
export async function browserInWords(userAgent: string | undefined): Promise<string | undefined> {
  if (userAgent === undefined || userAgent === '' || userAgent.length > maxLength) return undefined;
  // Loaded when the first person signs in: the start of a site does not wait for it.
  const { default: bowser } = await import('bowser');
  const { browser, os } = bowser.parse(userAgent);
  const name = names[browser.name ?? ''] ?? browser.name;
  const known = browsers.find((each) => each === name);
  const system = systems.find((each) => each === os.name);
  if (known !== undefined) return system === undefined ? known : `${known} on ${system}`;
  return system && `A browser on ${system}`;
}
