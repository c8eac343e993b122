import { openaiResponses } from '../../helpers/model-servers/openai-responses.ts';
import { describeProvider } from './suite.ts';

describeProvider('openai', openaiResponses);
