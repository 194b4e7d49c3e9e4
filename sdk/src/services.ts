import type { Body, Call, Schemas, Settings } from './operations.ts';

export type Service = Schemas['Service'];
export type ServiceSearch = Omit<Body<'searchServices'>, 'minimal' | 'format'>;
export type ServiceSummary = Schemas['ServiceSummary'];
/** With `full: true` the services are whole. */
export type ServicePage<Full = undefined> = Omit<Schemas['ServicePage'], 'contents'> & {
  contents: (Full extends true ? Service : ServiceSummary)[];
};

export type Services = ReturnType<typeof createServices>;

export function createServices(call: Call) {
  return {
    /**
     * One page of services that fit what the person needs, best matches first; `page: 2` is the next. With `full: true` each has
     * its telephone numbers, times and places. What you search for is in no address.
     */
    find: async <Full extends boolean | undefined = undefined>(
      search: ServiceSearch & { full?: Full },
      settings?: Settings,
    ): Promise<ServicePage<Full>> =>
      (await call('searchServices', { body: search, ...settings })).body as ServicePage<Full>,

    get: async (id: string, settings?: Settings): Promise<Service> =>
      (await call('getService', { path: { id }, ...settings })).body,

    /**
     * Every active service, for a copy of the library; or what changed since a moment, with `modifiedAfter`. It comes as one
     * long answer: if it breaks off, that throws, and what you have is not whole.
     */
    async *all(
      { modifiedAfter }: { modifiedAfter?: string | undefined } = {},
      settings?: Settings,
    ): AsyncGenerator<Service, void, undefined> {
      const query = { full: true, modified_after: modifiedAfter };
      const { body } = await call('exportServices', { query, ...settings });
      for await (const line of linesOf(body)) yield JSON.parse(line) as Service;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield line;
      if (done) break;
    }
    if (rest !== '') yield rest;
  } finally {
    await reader.cancel();
  }
}
