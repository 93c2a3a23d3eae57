import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeModel {
  baseUrl: string;
  /** The prompts it was given, as text. */
  prompts: string[];
  /** The error status that it answers with instead, to the questions about these emails. */
  failure: { status: number; isAbout(email: FakeQuestion['email']): boolean } | undefined;
  close(): Promise<void>;
}

export interface FakeQuestion {
  rules: { rule_id: string; condition: string }[];
  email: { from: string; subject: string; text: string };
}

type Verdict = { rule_id: string; applies: boolean; confidence: number; reason: string };

/** An OpenAI-compatible endpoint whose verdicts and replies the test writes. */
export async function startFakeModel(
  judge: (question: FakeQuestion) => Verdict[],
  reply: (email: FakeQuestion['email']) => string = ({ subject }) => `About ${subject}`,
): Promise<FakeModel> {
  const state: Pick<FakeModel, 'prompts' | 'failure'> = { prompts: [], failure: undefined };
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { messages } = JSON.parse(body) as { messages: { content: string }[] };
      const [system = '', user = ''] = messages.map(({ content }) => content);
      state.prompts.push(`${system}\n${user}`);
      const { email } = JSON.parse(user) as Pick<FakeQuestion, 'email'>;
      if (state.failure?.isAbout(email)) return void response.writeHead(state.failure.status).end();
      const at = system.lastIndexOf('\nRules:\n');
      const rules = at === -1 ? undefined : (JSON.parse(system.slice(at + 8)) as FakeQuestion['rules']);
      const content = JSON.stringify(rules ? { verdicts: judge({ rules, email }) } : { reply: reply(email) });
      const message = { role: 'assistant', content, refusal: null };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          choices: [{ index: 0, finish_reason: 'stop', message }],
          usage: usageOf(system + user, content),
        }),
      );
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  });
}

/** A tokenizer of its own: nobody who asks knows how it counts. */
const usageOf = (prompt: string, answer: string) => ({
  prompt_tokens: 11 + Math.ceil(prompt.length / 3.3),
  completion_tokens: 5 + Math.ceil(answer.length / 4.4),
});
