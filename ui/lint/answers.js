import ts from 'typescript';

/** @param {ts.Type} type @returns {boolean} */
function isText(type) {
  return type.isUnion() ? type.types.every(isText) : (type.flags & ts.TypeFlags.StringLike) !== 0;
}

/**
 * Forbids to say of a value that it is of a type which its own type does not vouch for. Answers of the server are of the types that
 * their schemas give them; names of texts and of choices may be cast.
 * @type {import('eslint').Rule.RuleModule}
 */
export const uncast = {
  meta: { type: 'problem', schema: [], messages: { cast: 'Nothing vouches for this type: check the value, with a schema where it comes from the server.' } },
  create(context) {
    /** @type {import('@typescript-eslint/parser').ParserServicesWithTypeInformation} */
    const services = context.sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    /** @param {ts.Type} type */
    const element = (type) => (checker.isArrayType(type) ? checker.getTypeArguments(type)[0] : undefined) ?? type;
    return {
      /** @param {any} node */
      'TSAsExpression, TSTypeAssertion'(node) {
        /** @type {import('@typescript-eslint/types').TSESTree.TSAsExpression} */
        const { expression, typeAnnotation } = node;
        if (typeAnnotation.type === 'TSTypeReference' && typeAnnotation.typeName.type === 'Identifier' && typeAnnotation.typeName.name === 'const') return;
        const from = services.getTypeAtLocation(expression);
        const to = services.getTypeAtLocation(typeAnnotation);
        const vouched = (from.flags & ts.TypeFlags.Any) === 0 && checker.isTypeAssignableTo(from, to);
        if (!vouched && !isText(element(from))) context.report({ node, messageId: 'cast' });
      },
    };
  },
};
