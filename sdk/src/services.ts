import type { Body, Call, Schemas, Settings } from './operations.ts';

export type Service = Schemas['Service'];
export type ServiceSearch = Omit<Body<'searchServices'>, 'minimal' | 'format'>;
type ServicePage = Omit<Schemas['ServicePage'], 'contents'> & {
  contents: (Schemas['ServiceSummary'] | Service)[];
};

export type Services = ReturnType<typeof createServices>;

export function createServices(call: Call) {
  return {
    /** A page of services that fit what the person needs, best matches first. What you search for is in no address. */
    find: async (search: ServiceSearch, settings?: Settings): Promise<ServicePage> =>
      (await call('searchServices', { body: search, ...settings })).body as ServicePage,

    get: async (id: string, settings?: Settings): Promise<Service> =>
      (await call('getService', { path: { id }, ...settings })).body,

    /**
     * Every active service, for a copy of the library; or what changed since a moment, with `modifiedAfter`. It comes as one
     * long answer: if it breaks off, that throws, and what you have is not whole.
     */
    async *all(
      { modifiedAfter }: { modifiedAfter?: string } = {},
      settings?: Settings,
    ): AsyncGenerator<Service, void, undefined> {
      const query = {
        full: true,
        ...(modifiedAfter !== undefined && { modified_after: modifiedAfter }),
      };
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
