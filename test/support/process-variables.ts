import { wordModelVariables } from '@postroom/local/word-model/word-model';

/** Variables without which some services do not start. A test that depends on their values gives its own. */
const NEEDED = { MCP_TOKEN: 'mcp', APP_TOKEN: 'app', MCP_URL: 'http://127.0.0.1/mcp', APP_URL: 'http://127.0.0.1' };

export async function withNeededVariables(env: Record<string, string>): Promise<Record<string, string>> {
  const missing = Object.entries(NEEDED).filter(([name]) => !(`${name}_FILE` in env));
  return { ...Object.fromEntries(missing), ...(await wordModelVariables()), ...env };
}
