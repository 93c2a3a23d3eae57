import { Writable } from 'node:stream';
import { createLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { ServiceContextOptions } from '@postroom/runtime/service-context';
import type { ServiceContext } from '@postroom/runtime/service';
import { implement } from './definition.ts';
import type { Handlers } from './definition.ts';

export interface Words {
  words: string[];
}

// The shape ts-proto generates, with JSON for its wire: what is tested here is the carrying, not the codec.
const json = {
  encode: (message: Words) => ({ finish: () => new TextEncoder().encode(JSON.stringify(message)) }),
  decode: (bytes: Uint8Array): Words => JSON.parse(Buffer.from(bytes).toString()) as Words,
};

export const EchoDefinition = {
  name: 'EchoService',
  fullName: 'postroom.test.EchoService',
  methods: {
    echo: {
      name: 'Echo',
      requestType: json,
      requestStream: false,
      responseType: json,
      responseStream: false,
      options: {},
    },
    read: {
      name: 'Read',
      requestType: json,
      requestStream: false,
      responseType: json,
      responseStream: false,
      options: { idempotencyLevel: 'NO_SIDE_EFFECTS' },
    },
    gather: {
      name: 'Gather',
      requestType: json,
      requestStream: true,
      responseType: json,
      responseStream: false,
      options: {},
    },
  },
} as const;

/** An echo whose methods a test replaces one by one. */
export function echo(overrides: Partial<Handlers<typeof EchoDefinition>> = {}) {
  return implement(EchoDefinition, {
    echo: async (request) => request,
    read: async (request) => request,
    gather: async (requests) => {
      const words: string[] = [];
      for await (const request of requests) words.push(...request.words);
      return { words };
    },
    ...overrides,
  });
}

export interface TestContext extends ServiceContext {
  /** The log so far, as one text. */
  logged(): string;
}

export function testContext(options: Partial<ServiceContextOptions> = {}): TestContext {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const context = createServiceContext({ name: 'echo', log: createLog('echo', 'debug', sink), ...options });
  return { ...context, logged: () => lines.join('') };
}
