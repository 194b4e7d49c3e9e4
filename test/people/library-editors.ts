import { aTokenHolder, type ServiceOfOrganisation } from '../app/builders.ts';
import type { TestApp } from '../app/make-app.ts';

export type Holder = Awaited<ReturnType<typeof aTokenHolder>>;
export type Editors = ReturnType<typeof libraryEditors>;

type More = { body?: unknown; etag?: string };

/** Those who change services by the API, and what they call. */
export function libraryEditors(site: TestApp) {
  async function call(who: Holder, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, more: More = {}) {
    const headers = { ...who.headers, ...(more.etag !== undefined && { 'if-match': more.etag }) };
    const payload = more.body as object | undefined;
    const answer = await site.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    const body = answer.body === '' ? undefined : answer.json();
    return { status: answer.statusCode, body, etag: String(answer.headers.etag), headers: answer.headers };
  }
  return {
    call,
    /** Somebody of the organisation that runs a service. */
    staffOf: ({ organizationId, organizationName }: ServiceOfOrganisation) =>
      aTokenHolder(site.deps, {
        role: 'provider',
        organisation: { name: organizationName, libraryOrganizationId: organizationId },
      }),
    /** The ids of the services that a search finds. */
    found: async (who: Holder, search: string): Promise<string[]> => {
      const url = `/api/library/services?search=${encodeURIComponent(search)}`;
      return (await call(who, 'GET', url)).body.contents.map(({ id }: { id: string }) => id);
    },
  };
}
