import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { acknowledgement } from './acknowledgement.ts';
import { judgeByWords } from './judge.ts';
import { readQuestion } from './question.ts';

/** The variables of the classifier that name this endpoint. */
interface WordModelVariables {
  LLM_BASE_URL: string;
  LLM_MODEL: string;
}

const HOST = '127.0.0.1';
const BYTES_OF_A_TOKEN = 4;

let opened: Promise<WordModelVariables> | undefined;

/**
 * An OpenAI-compatible endpoint that stands in for a model in development: it compares words. It opens with its first use.
 * It keeps nothing, so all stacks of a process share it, and it does not keep the process alive.
 */
export function wordModelVariables(): Promise<WordModelVariables> {
  return (opened ??= openWordModel());
}

async function openWordModel(): Promise<WordModelVariables> {
  const server = createServer((request, response) => {
    // The caller went away in the middle of its request.
    answer(request, response).catch(() => response.destroy());
  });
  // A server that closes idle connections may close one in the moment of its next request.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => socket.unref());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { LLM_BASE_URL: `http://${HOST}:${port}/v1`, LLM_MODEL: 'word-model' };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const say = (status: number, body: object) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const body = await text(request);
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
    return say(404, { error: { message: 'there is POST /v1/chat/completions alone' } });
  try {
    say(200, completionOf(body));
  } catch {
    say(400, { error: { message: 'this is no question of the classifier' } });
  }
}

function completionOf(body: string) {
  const { email, rules } = readQuestion(body);
  const content = JSON.stringify(rules ? { verdicts: judgeByWords(rules, email) } : { reply: acknowledgement(email) });
  return {
    object: 'chat.completion',
    model: 'word-model',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
    // Counted as of a model, so that estimates and the figures of use can be tried without one.
    usage: { prompt_tokens: tokensOf(body), completion_tokens: tokensOf(content) },
  };
}

const tokensOf = (said: string) => Math.ceil(Buffer.byteLength(said) / BYTES_OF_A_TOKEN);
