#!/usr/bin/env node
// Connects a client of the Model Context Protocol that speaks over standard input and output to the MCP server of Postroom.
import { createInterface } from 'node:readline';

const USAGE = `postroom-mcp speaks the Model Context Protocol over standard input and output.

POSTROOM_KEY      the API key, mk_...
POSTROOM_URL      the base address of the API, such as https://mail.example.com/api/v1
POSTROOM_MCP_URL  the address of the MCP server, where it is not found from POSTROOM_URL`;

const VERSION_IN_META = 'io.modelcontextprotocol/protocolVersion';
const SERVER_ERROR = -32_000;

const { POSTROOM_KEY: key, POSTROOM_URL: baseUrl, POSTROOM_MCP_URL: namedUrl } = process.env;
if (process.argv.includes('--help')) {
  process.stdout.write(`${USAGE}\n`);
} else if (!key || !(baseUrl || namedUrl)) {
  process.stderr.write(`POSTROOM_KEY and POSTROOM_URL are needed.\n\n${USAGE}\n`);
  process.exitCode = 2;
} else {
  serve(namedUrl ? Promise.resolve(namedUrl) : findServer(baseUrl));
}

/** The API sends those who look for the server beside it to the server's own address. */
async function findServer(base) {
  const beside = new URL('/mcp', base);
  const answer = await fetch(beside, { redirect: 'manual' });
  await answer.body?.cancel();
  const location = answer.headers.get('location');
  return location === null ? beside.href : new URL(location, beside).href;
}

/** Hands on each line as a request. The end of the input ends the process when every request is answered. */
function serve(finding) {
  // It is awaited with each message, and must not end the process before the first of them.
  finding.catch(() => undefined);
  const state = { finding, version: undefined, underWay: new Map() };
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  lines.on('line', (line) => {
    if (line.trim() !== '') void handle(line, state);
  });
}

async function handle(line, state) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return say({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'This line is not JSON.' } });
  }
  if (message.method === 'notifications/cancelled') return state.underWay.get(message.params?.requestId)?.abort();
  const gone = new AbortController();
  if (message.id !== undefined) state.underWay.set(message.id, gone);
  try {
    for (const answer of await ask(message, state, gone.signal)) {
      if (message.method === 'initialize') state.version = answer.result?.protocolVersion;
      say(answer);
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    // Many clients show what a program writes here, and not every one shows the error of a request.
    process.stderr.write(`${sentenceOf(error)}\n`);
    if (message.id === undefined) return;
    say({ jsonrpc: '2.0', id: message.id, error: { code: SERVER_ERROR, message: sentenceOf(error) } });
  } finally {
    state.underWay.delete(message.id);
  }
}

/** The messages that the server answers. */
async function ask(message, { finding, version }, signal) {
  const answer = await fetch(await finding, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headersOf(message, version),
    },
    body: JSON.stringify(message),
    signal,
  });
  const text = await answer.text();
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return eventsIn(text);
  const said = text === '' ? undefined : JSON.parse(text);
  if (said?.jsonrpc === '2.0') return message.id === undefined ? [] : [{ ...said, id: message.id }];
  if (!answer.ok) throw new Error(said?.error_description ?? said?.error ?? `The server answered ${answer.status}.`);
  return [];
}

/** The headers that name what the body says: the protocol wants both. */
function headersOf({ method, params }, version) {
  const modern = params?._meta?.[VERSION_IN_META];
  if (modern === undefined) return version ? { 'MCP-Protocol-Version': version } : {};
  const name = params.name ?? params.uri;
  return {
    'MCP-Protocol-Version': modern,
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
  };
}

function eventsIn(text) {
  return text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
    return data.join('').trim() === '' ? [] : [JSON.parse(data.join('\n'))];
  });
}

function sentenceOf(error) {
  if (error instanceof TypeError) return `The MCP server cannot be reached; check POSTROOM_URL and POSTROOM_MCP_URL.`;
  return error.message;
}

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
