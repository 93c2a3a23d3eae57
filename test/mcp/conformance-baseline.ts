/** The scenarios of the official conformance suite that do not pass, each with its reason. All others have to pass. */
type Baseline = Readonly<Record<string, string>>;

const FIXTURE = 'calls a tool, a prompt or a resource of the server that the suite itself brings';
const TOOLS_ALONE = 'the server has tools, and neither resources, prompts, completions nor levels of logging';
const NO_SESSION = 'the server keeps no session and no stream that could be resumed';
const ASKS_NOTHING = 'no tool asks its client for anything in the middle of a call';

const forReason = (reason: string, scenarios: string): Baseline =>
  Object.fromEntries(scenarios.split(' ').map((scenario) => [scenario, reason]));

const OF_BOTH: Baseline = {
  ...forReason(
    FIXTURE,
    'tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content tools-call-error tools-call-with-progress json-schema-2020-12',
  ),
  ...forReason(
    TOOLS_ALONE,
    'completion-complete resources-list resources-read-text resources-read-binary resources-templates-read prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image',
  ),
};

/** By the revision of the protocol that the suite speaks. */
export const BASELINES: Readonly<Record<string, Baseline>> = {
  '2025-11-25': {
    ...OF_BOTH,
    ...forReason(TOOLS_ALONE, 'logging-set-level resources-subscribe resources-unsubscribe'),
    ...forReason(FIXTURE, 'tools-call-with-logging'),
    ...forReason(
      ASKS_NOTHING,
      'tools-call-sampling tools-call-elicitation elicitation-sep1034-defaults elicitation-sep1330-enums',
    ),
    ...forReason(NO_SESSION, 'server-sse-polling server-sse-multiple-streams'),
  },
  '2026-07-28': {
    ...OF_BOTH,
    'server-stateless':
      'three of its 28 checks call tools of its own server, and two subscribe to changes of the list of tools, which does not change',
    caching: 'three of its seven checks ask for resources and prompts; those of the list of tools pass',
    'sep-2164-resource-not-found': 'warns that a server without resources does not know the method',
    'http-custom-header-server-validation': 'no tool takes an argument from a header',
    ...forReason(
      ASKS_NOTHING,
      'input-required-result-basic-elicitation input-required-result-basic-sampling input-required-result-basic-list-roots input-required-result-request-state input-required-result-multiple-input-requests input-required-result-multi-round input-required-result-missing-input-response input-required-result-ignore-extra-params input-required-result-non-tool-request input-required-result-result-type input-required-result-tampered-state input-required-result-capability-check',
    ),
  },
};
