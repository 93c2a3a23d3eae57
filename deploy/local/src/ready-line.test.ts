import { describe, expect, it } from '@jest/globals';
import { greeting, type ReadyLine } from './ready-line.ts';

const ready: ReadyLine = {
  baseUrl: 'http://127.0.0.1:8080/api/v1',
  docsUrl: 'http://127.0.0.1:8080/docs',
  mcpUrl: 'http://127.0.0.1:8090/mcp',
  appUrl: 'http://localhost:8081/app',
  appSignInUrl: 'http://localhost:8081/app/link#link_1',
  workspaceId: 'wsp_1',
  keys: { read: 'mk_r', write: 'mk_w', send: 'mk_s' },
  mailboxes: [],
  smtp: null,
  outboxUrl: 'http://127.0.0.1:8025/outbox.json',
  features: [],
};

describe('the start screen', () => {
  it('says that no model is connected when none is set', () => {
    expect(greeting(ready, undefined)).toMatch(/Model +none is connected/);
  });

  it('names the origin of the model without its credentials when one is set', () => {
    const screen = greeting(ready, 'https://user:secret@llm.example/v1');
    expect(screen).toMatch(/Model +https:\/\/llm\.example\n/);
    expect(screen).not.toContain('none is connected');
  });
});
